import { type Contract, contracts, type EndpointSpec, fieldMeta } from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { z } from 'zod'
import { filledPath, pathValues, requiredInput } from '../testing/fixtures/endpoint-calls.ts'
import { type HostileValue, hostileValues } from '../testing/fixtures/hostile-values.ts'
import {
  buildCallers,
  buildPermissionFixture,
  type PermissionFixture,
} from '../testing/fixtures/permissions.ts'
import { buildTestServer, type TestServer } from '../testing/test-server.ts'

/**
 * Every text parameter of every endpoint gets values that parsers are bad at: all parameters of a
 * call at once, of 64 KiB, and one at a time, of the length that its contract admits. No answer may
 * be a 500, and the test server fails when one keeps the event loop for long, or when its contract
 * does not declare the answer.
 */

const endpoints = Object.values<Contract>(contracts)
  .flatMap<EndpointSpec>((contract) => Object.values(contract))
  .map((endpoint, index): [string, EndpointSpec, number] => [
    `${endpoint.method} ${endpoint.path}`,
    endpoint,
    index,
  ])

const bodyLength = 64 * 1024
/** Node.js takes 16 KiB of headers, and percent-encoding makes three characters of one. */
const urlLength = 4 * 1024
/** Values for all parameters at once, and for each alone: the next endpoint gets the next ones. */
const valuesAtOnce = 8
const valuesAlone = 4

/** PostgreSQL takes none, and no layer in front of it may let one pass. */
const withNul: HostileValue = () => 'a/\0'

let server: TestServer
let fixture: PermissionFixture
let before: number

beforeAll(async () => {
  server = await buildTestServer()
  const callers = await buildCallers(server)
  fixture = await buildPermissionFixture(server, callers, 'public')
  before = usedMemory()
})
afterAll(() => server.close())

function usedMemory(): number {
  server.collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** The longest text that a parameter admits; undefined for parameters that aren't texts. */
function maxLengthOf(field: z.ZodType): number | undefined {
  const wire = fieldMeta(field)?.wire as { items?: { maxLength?: number }; maxLength?: number }
  return wire?.maxLength ?? wire?.items?.maxLength
}

function some(count: number, from: number): HostileValue[] {
  const start = (from * count) % hostileValues.length
  return [...hostileValues, ...hostileValues].slice(start, start + count)
}

interface Input {
  path: Record<string, string>
  sent: Record<string, unknown>
}

async function send(endpoint: EndpointSpec, { path, sent }: Input, token?: string) {
  const { method, body } = endpoint
  const answer = await server.inject(method, filledPath(endpoint.path, wellFormed(path)), {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? { query: queryOf(sent) } : { body: sent }),
  })
  const { status, text } = answer
  expect({ status, sent: excerpt({ path, sent }), text: status < 500 ? '' : text }).toMatchObject({
    status: expect.toSatisfy((code: number) => code < 500),
  })
}

/** URLs cannot hold lone surrogates. */
function wellFormed(values: Record<string, string>): Record<string, string> {
  const entries = Object.entries(values)
  return Object.fromEntries(entries.map(([name, value]) => [name, value.toWellFormed()]))
}

function queryOf(sent: Record<string, unknown>): string {
  return Object.entries(sent)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`)
    .join('&')
}

function excerpt(input: unknown): string {
  return JSON.stringify(input).slice(0, 300)
}

describe('hostile values', () => {
  it.each(endpoints)('%s survives them in all parameters', async (_, endpoint, index) => {
    const { path, query, body } = endpoint
    const inPath = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)
    const others = Object.keys({ ...query?.shape, ...body?.shape })
    const length = body === undefined ? Math.floor(urlLength / (others.length + 1)) : bodyLength
    for (const [at, value] of some(valuesAtOnce, index).entries()) {
      const hostile = (names: string[], size: number) =>
        Object.fromEntries(names.map((name) => [name, value(size)]))
      const sent = hostile(others, length)
      const known = pathValues(endpoint, fixture)
      await send(endpoint, { path: known, sent }, server.root.token)
      if (at === 0) await send(endpoint, { path: known, sent })
      if (inPath.length === 0) continue
      const hostilePath = hostile(inPath, Math.floor(urlLength / inPath.length))
      await send(endpoint, { path: hostilePath, sent: {} }, server.root.token)
    }
  })

  it.each(endpoints)('%s survives them in each parameter', async (_, endpoint, index) => {
    const { query, body } = endpoint
    const schema = body ?? query
    const valid = requiredInput(endpoint)
    const path = pathValues(endpoint, fixture)
    const texts = Object.entries(schema?.shape ?? {}).flatMap(([name, field]) => {
      const max = maxLengthOf(field as z.ZodType)
      return max === undefined ? [] : [{ name, max }]
    })
    for (const [at, { name, max }] of texts.entries()) {
      for (const value of some(valuesAlone, index + at)) {
        const length = Math.min(max, body === undefined ? urlLength : bodyLength)
        const sent = { ...valid, [name]: value(length) }
        await send(endpoint, { path, sent }, server.root.token)
      }
    }
    for (const name of Object.keys(path)) {
      for (const value of [...some(valuesAlone, index), withNul]) {
        const hostilePath = { ...path, [name]: value(urlLength) }
        await send(endpoint, { path: hostilePath, sent: valid }, server.root.token)
      }
    }
  })

  it('leave no more memory behind than caches hold', async () => {
    const grown = () => usedMemory() - before
    // More than a gigabyte was sent. The rest of a refused body is awaited for some seconds.
    await vi.waitFor(() => expect(grown()).toBeLessThan(128 * 1024 * 1024), {
      timeout: 25_000,
      interval: 1000,
    })
  })
})
