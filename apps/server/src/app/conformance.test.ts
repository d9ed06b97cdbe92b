import {
  type Contract,
  contracts,
  type EndpointSpec,
  errorCodes,
  resourceTitle,
} from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../testing/test-server.ts'
import { handlers } from './handlers.ts'

const endpoints = Object.entries<Contract>(contracts).flatMap(([resource, contract]) =>
  Object.entries(contract).map(([action, endpoint]) => ({
    name: `${resource}.${action}`,
    resource,
    action,
    endpoint,
  })),
)

/** A path in which every parameter has some value. */
function somePath(endpoint: EndpointSpec): string {
  return endpoint.path.replace(/:\w+/g, '1')
}

function admitsAnonymous({ auth }: EndpointSpec): boolean {
  return typeof auth === 'string' || auth.anonymous === true
}

/** The path without the names of its parameters, of which a document has one set. */
function shapeOf(path: string): string {
  return path.replace(/:\w+|\{\w+\}/g, '{}')
}

describe('every endpoint', () => {
  let server: TestServer
  // biome-ignore lint/suspicious/noExplicitAny: the document is read as untyped JSON.
  let document: any

  beforeAll(async () => {
    server = await buildTestServer()
    document = (await server.inject('GET', '/openapi.json')).body
  })
  afterAll(() => server.close())

  it('has a unique method and path', () => {
    const keys = endpoints.flatMap(({ endpoint }) =>
      [endpoint.path, ...(endpoint.aliases ?? [])].map(
        (path) => `${endpoint.method} ${path.replace(/:\w+/g, ':')}`,
      ),
    )
    expect(new Set(keys).size).toBe(keys.length)
  })

  it.each(endpoints)('$name has a handler', ({ resource, action }) => {
    const group = handlers[resource as keyof typeof handlers] as Record<string, unknown>
    expect(group[action]).toBeTypeOf('function')
  })

  it.each(endpoints)('$name is documented', ({ endpoint }) => {
    const paths = Object.keys(document.paths)
    const path = paths.find((each) => shapeOf(each) === shapeOf(endpoint.path)) ?? ''
    const operation = document.paths[path][endpoint.method.toLowerCase()]
    expect(operation.operationId.startsWith(endpoint.name)).toBe(true)
    expect(operation.deprecated).toBe(endpoint.legacy)
    expect(operation.tags).toEqual([resourceTitle(endpoint.name)])
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/)
    const successes = Object.keys(endpoint.response).filter((status) => status.startsWith('2'))
    expect(successes.length).toBeGreaterThan(0)
  })

  it.each(endpoints)('$name declares known errors and its parameters once', ({ endpoint }) => {
    for (const code of endpoint.errors ?? []) expect(errorCodes).toContain(code)
    const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    const sent = [
      ...Object.keys(endpoint.query?.shape ?? {}),
      ...Object.keys(endpoint.body?.shape ?? {}),
    ]
    expect(new Set([...inPath, ...sent]).size).toBe(inPath.length + sent.length)
    expect(sent).not.toContain('page')
    if (endpoint.method === 'GET') expect(endpoint.body).toBeUndefined()
  })

  it.each(endpoints.filter(({ endpoint }) => !admitsAnonymous(endpoint)))(
    '$name refuses callers without a token',
    async ({ endpoint }) => {
      const answer = await server.inject(endpoint.method, somePath(endpoint))
      expect(answer.status).toBe(401)
      expect(answer.body).toEqual({ message: '401 Unauthorized' })
    },
  )

  it.each(endpoints.filter(({ endpoint }) => endpoint.auth !== 'public'))(
    '$name refuses an invalid token, even if none is required',
    async ({ endpoint }) => {
      const answer = await server.inject(endpoint.method, somePath(endpoint), { token: 'wrong' })
      expect(answer.status).toBe(401)
      expect(answer.headers['content-type']).toBe('application/json')
    },
  )
})
