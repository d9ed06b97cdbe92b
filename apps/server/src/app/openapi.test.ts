import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import {
  type Contract,
  contracts,
  documentedParameters,
  type EndpointSpec,
  parameterKey,
  resourceTexts,
  resourceTitle,
} from '@stithy/core'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from './openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is read as untyped JSON.
type Json = any

const document: Json = await openApiDocument('http://stithy.test')

const operations: [name: string, operation: Json][] = Object.entries<Json>(document.paths).flatMap(
  ([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]): [string, Json] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
)

const endpoints = Object.values<Contract>(contracts).flatMap<EndpointSpec>((contract) =>
  Object.values(contract),
)

/** Every object in a value, with its path. */
function* objectsIn(value: Json, path = ''): Generator<[path: string, object: Json]> {
  if (typeof value !== 'object' || value === null) return
  yield [path, value]
  for (const [key, member] of Object.entries(value)) yield* objectsIn(member, `${path}/${key}`)
}

function resolve(reference: string): unknown {
  const steps = reference.replace('#/', '').split('/')
  return steps.reduce((value: Json, step) => value?.[step], document)
}

/** Rules of the linter that don't fit. */
const unfit = {
  // v4 has `/projects/user/:user_id` beside `/projects/:id/…`.
  'no-ambiguous-paths': 'off',
  // What excludes each other is written with `not` and `required`.
  'no-required-schema-properties-undefined': 'off',
} as const

describe('the OpenAPI document', () => {
  it('is valid by the schema of OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    expect(errors).toBeUndefined()
    expect([valid, validator.version]).toEqual([true, '3.1'])
  })

  it('passes the linter of OpenAPI', async () => {
    const config = await createConfig({ extends: ['recommended'], rules: unfit })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    const told = problems.map(({ ruleId, severity, message, location: [at] }) =>
      [severity, ruleId, message, at?.pointer].join(' '),
    )
    expect(told).toEqual([])
  })

  it('refers only to what it has, and has only what it refers to', () => {
    const references = new Set<string>()
    for (const [path, { $ref }] of objectsIn(document)) {
      if (typeof $ref !== 'string') continue
      expect(resolve($ref), `${path} refers to ${$ref}`).toBeDefined()
      references.add($ref)
    }
    for (const kind of ['parameters', 'responses', 'schemas']) {
      for (const name of Object.keys(document.components[kind])) {
        expect(references).toContain(`#/components/${kind}/${name}`)
      }
    }
  })

  it('has every path of every contract, the alternative ones too', () => {
    const documented = operations.map(([name]) => name.replace(/\{\w+\}/g, '{}')).toSorted()
    const served = endpoints.flatMap(({ method, path, aliases = [] }) =>
      [path, ...aliases].map((each) => `${method} ${each.replace(/:\w+/g, '{}')}`),
    )
    expect(documented).toEqual(served.toSorted())
  })

  it('describes every tag, and has no others', () => {
    const used = new Set(operations.flatMap(([, { tags }]) => tags))
    const declared = document.tags.map(({ name }: Json) => name)
    expect(declared).toEqual([...used].toSorted())
    expect(Object.keys(resourceTexts).toSorted()).toEqual(declared)
    for (const { description } of document.tags) expect(description).toMatch(/^[A-Z].*\.$/)
  })

  it('has a unique id, a summary and a description of every operation', () => {
    const ids = operations.map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [name, { summary, description }] of operations) {
      expect(summary, name).toMatch(/^[A-Z].*[^.]$/)
      expect(description, name).toMatch(/^[A-Z`].*\.$/s)
    }
  })

  it('describes every parameter, and no others', () => {
    for (const [name, { parameters = [] }] of operations) {
      const own = parameters.filter(({ $ref }: Json) => $ref === undefined)
      for (const { name: parameter, description } of own) {
        expect(description, `${name} ${parameter}`).toMatch(/^[A-Z`].*\.$/)
      }
    }
    const used = endpoints.flatMap(({ name, path, query, body }) =>
      [
        ...Array.from(path.matchAll(/:(\w+)/g), ([, each = '']) => each),
        ...Object.keys({ ...query?.shape, ...body?.shape }),
      ].map((each) => parameterKey(resourceTitle(name), each)),
    )
    const known = new Set([...used, 'page', 'per_page'])
    expect(documentedParameters.filter((key) => !known.has(key))).toEqual([])
  })

  it('limits every text and every list of a request', () => {
    const schemas = Object.entries(document.components.schemas)
    const bodies = schemas.filter(([name]) => name.endsWith('.body'))
    const requests = [bodies, operations.map(([name, { parameters }]) => [name, parameters])]
    const unlimited = [...objectsIn(requests)].filter(
      ([, { type, maxLength, maxItems, enum: words, format = '' }]) =>
        ([type].flat().includes('string') &&
          maxLength === undefined &&
          words === undefined &&
          !['date', 'date-time', 'binary'].includes(format)) ||
        (type === 'array' && maxItems === undefined),
    )
    expect(unlimited.map(([path]) => path)).toEqual([])
  })

  it.each(operations)('names the errors of every call to %s', (name, { responses }) => {
    const statuses = Object.keys(responses)
    expect(statuses).toEqual(expect.arrayContaining(['400', '401', '403', '404', '405', '429']))
    const others = name.startsWith('GET') ? ['304', '503'] : ['409', '413', '415', '503', '507']
    expect(statuses).toEqual(expect.arrayContaining(others))
  })

  it('has the headers of lists, and Allow of a method that does not exist', () => {
    const { headers } = document.paths['/projects'].get.responses[200]
    expect(Object.keys(headers)).toEqual(
      expect.arrayContaining(['ETag', 'Link', 'X-Next-Page', 'X-Total', 'X-Total-Pages']),
    )
    expect(Object.keys(document.components.responses.Error405.headers)).toEqual(['Allow'])
  })

  it('has the parameters beside a file in the query, for a file that is sent as JSON', () => {
    const { parameters } = document.paths['/projects/{id}/vulnerabilities/reports'].post
    const names = parameters.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['report_type', 'ref', 'sha']))
    expect(names).not.toContain('file')
  })

  it('states what several parameters must be together', () => {
    const { 'boards.lists.create.project.body': board, 'users.create.body': user } =
      document.components.schemas
    const subjects = ['label_id', 'assignee_id', 'milestone_id']
    expect(board.allOf).toEqual([{ oneOf: subjects.map((name) => ({ required: [name] })) }])
    expect(user.allOf).toContainEqual({
      dependentRequired: { extern_uid: ['provider'], provider: ['extern_uid'] },
    })
    expect(document.paths['/issues'].get.description).toMatch(
      /`author_id` and `author_username` exclude each other\./,
    )
    const { post: comment } = document.paths['/projects/{id}/repository/commits/{sha}/comments']
    expect(comment.description).toMatch(/`path` needs `line`\./)
    expect(document.components.schemas['commits.comments.create.body'].allOf).toEqual([
      { dependentRequired: { path: ['line'] } },
    ])
  })

  it('requires a body of requests that are not complete without one', () => {
    const { '/projects': projects, '/projects/{id}/fork': forks } = document.paths
    expect(projects.post.requestBody.required).toBe(true)
    expect(forks.post.requestBody.required).toBe(false)
  })
})
