import { type Contract, contracts, type EndpointSpec } from '@stithy/core'
import { describe, expect, it } from 'vitest'
import { createClient } from './index.ts'

const endpoints = Object.entries<Contract>(contracts).flatMap(([resource, contract]) =>
  Object.entries(contract).map(([action, endpoint]): [string, EndpointSpec] => [
    `${resource}.${action}`,
    endpoint,
  ]),
)

function inputNames(endpoint: EndpointSpec): string[] {
  return [
    ...Array.from(endpoint.path.matchAll(/:(\w+)/g), ([, name = '']) => name),
    ...Object.keys(endpoint.query?.shape ?? {}),
    ...Object.keys(endpoint.body?.shape ?? {}),
    ...(endpoint.paginated ? ['page', 'per_page'] : []),
  ]
}

describe('the registry', () => {
  it('gives every endpoint a method', () => {
    const client: Record<string, Record<string, unknown>> = createClient({
      baseUrl: 'http://x.org',
    })
    for (const [name] of endpoints) {
      const [resource = '', action = ''] = name.split('.')
      expect(client[resource]?.[action], name).toBeTypeOf('function')
    }
  })

  it.each(endpoints)(
    '%s has names that never meet, in a method that sends them',
    (name, endpoint) => {
      const names = inputNames(endpoint)
      expect(names.filter((each, index) => names.indexOf(each) !== index)).toEqual([])
      expect(name).toMatch(/^[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/)
      // A client sends the parameters of reads in the query and those of writes in the body.
      const reads = endpoint.method === 'GET' || endpoint.method === 'DELETE'
      expect(Object.keys((reads ? endpoint.body : endpoint.query)?.shape ?? {})).toEqual([])
    },
  )

  it.each(endpoints)('%s types only parameters that its path has', (_, endpoint) => {
    const names = Array.from(endpoint.path.matchAll(/:(\w+)/g), ([, name = '']) => name)
    expect(names).toEqual(expect.arrayContaining(Object.keys(endpoint.params?.shape ?? {})))
  })
})
