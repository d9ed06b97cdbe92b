import { describe, expect, it } from 'vitest'
import type { Contract, EndpointSpec } from '../platform/contract/endpoint.ts'
import { contracts } from './registry.ts'

const endpoints = Object.values(contracts as Record<string, Contract>).flatMap(
  (contract): EndpointSpec[] => Object.values(contract),
)

function scopesOf({ auth }: EndpointSpec): readonly string[] {
  return typeof auth === 'string' ? [] : [auth.scope ?? 'api'].flat()
}

describe('the scope read_user', () => {
  it('is enough for every GET below /user and /users, and for no write', () => {
    const own = endpoints.filter(({ path }) => /^\/users?(\/|$)/.test(path))
    const accepting = own.filter((endpoint) => scopesOf(endpoint).includes('read_user'))
    expect(accepting.map(({ method, path }) => `${method} ${path}`)).toEqual(
      own.filter(({ method }) => method === 'GET').map(({ path }) => `GET ${path}`),
    )
  })
})
