import { contracts, type EndpointSpec, endpointsByName, pathParameters } from '@stithy/core'
import { describe, expect, it } from 'vitest'
import { createClient } from './index.ts'

const named = [...endpointsByName(contracts)]
const endpoints = Object.values(contracts)
  .flatMap((contract) => Object.values<EndpointSpec>(contract))
  .map((endpoint): [string, EndpointSpec] => [`${endpoint.method} ${endpoint.path}`, endpoint])

function inputNames(endpoint: EndpointSpec): string[] {
  return [
    ...pathParameters(endpoint.path).map(({ input }) => input),
    ...Object.keys(endpoint.query?.shape ?? {}),
    ...Object.keys(endpoint.body?.shape ?? {}),
    ...(endpoint.paginated ? ['page', 'per_page'] : []),
  ]
}

function memberOf(client: unknown, name: string): unknown {
  return name.split('.').reduce((object, segment) => {
    return (object as Record<string, unknown>)[segment]
  }, client)
}

describe('the registry', () => {
  it('has a method for every name, and nothing else', () => {
    const client = createClient({ baseUrl: 'http://x.org' })
    for (const [name] of named) expect(memberOf(client, name), name).toBeTypeOf('function')
    const count = (object: object): number =>
      Object.values(object).reduce(
        (sum, member) => sum + (typeof member === 'function' ? 1 : count(member)),
        0,
      )
    expect(count(client)).toBe(named.length)
  })

  it.each(endpoints)(
    '%s has parameter names without conflicts, in a method that sends them',
    (_, endpoint) => {
      const names = inputNames(endpoint)
      expect(names.filter((each, index) => names.indexOf(each) !== index)).toEqual([])
      // A client sends the parameters of reads in the query and those of writes in the body.
      const reads =
        endpoint.method === 'GET' || (endpoint.method === 'DELETE' && endpoint.body === undefined)
      expect(Object.keys((reads ? endpoint.body : endpoint.query)?.shape ?? {})).toEqual([])
    },
  )

  it.each(endpoints)('%s types only parameters of its path', (_, endpoint) => {
    const names = pathParameters(endpoint.path).map(({ wire }) => wire)
    expect(names).toEqual(expect.arrayContaining(Object.keys(endpoint.params?.shape ?? {})))
  })

  it.each(named)('%s is one kind of call for every parent', (_, variants) => {
    const kinds = variants.map(({ method, kind, paginated }) => `${method} ${kind} ${paginated}`)
    expect(new Set(kinds).size).toBe(1)
    const parents = variants.map(({ path }) =>
      pathParameters(path)
        .map(({ input }) => input)
        .sort()
        .join(),
    )
    expect(new Set(parents).size).toBe(variants.length)
    // A parameter that selects a variant is not a filter of another one.
    const inPaths = new Set(parents.flatMap((names) => names.split(',')))
    const sent = variants.flatMap(({ query, body }) => [
      ...Object.keys(query?.shape ?? {}),
      ...Object.keys(body?.shape ?? {}),
    ])
    expect(sent.filter((name) => inPaths.has(name))).toEqual([])
  })
})
