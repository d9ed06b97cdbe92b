import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type GadgetRegistry,
  gadgetRegistry,
  type RecordingServer,
  startRecordingServer,
} from '../test/testing.ts'
import { type Client, createClientFor } from './index.ts'

let server: RecordingServer
let client: Client<GadgetRegistry>

beforeAll(async () => {
  server = await startRecordingServer()
})

afterAll(() => server.close())

beforeEach(() => {
  server.seen.length = 0
  client = createClientFor(gadgetRegistry, { baseUrl: server.url, retries: 0 })
})

function lastSeen() {
  const seen = server.seen.at(-1)
  if (seen === undefined) throw new Error('nothing was sent')
  return seen
}

describe('a method with several endpoints', () => {
  it('calls the endpoint with the given parents', async () => {
    server.respond({ json: [] })
    await client.gadgets.list({ search: 'x' })
    expect(lastSeen().url).toBe('/api/v4/gadgets?search=x')
    await client.gadgets.list({ groupId: 'a/b', search: 'x' })
    expect(lastSeen().url).toBe('/api/v4/groups/a%2Fb/gadgets?search=x')
    server.respond({ status: 204 })
    await client.gadgets.delete({ groupId: 1, gadgetId: 2 })
    expect(lastSeen()).toMatchObject({ method: 'DELETE', url: '/api/v4/groups/1/gadgets/2' })
  })

  it.each([
    [{ groupId: 1 }, 'gadgetId is missing'],
    [{}, 'gadgetId is missing'],
    // A parent that is undefined by mistake must not delete the gadget elsewhere.
    [{ groupId: undefined, gadgetId: 2 }, 'groupId is missing'],
  ])('with the parents %j fails, as %s', async (input, text) => {
    const error = await client.gadgets
      .delete(input as { gadgetId: number })
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'invalid_parameter', message: text })
    expect(server.seen).toHaveLength(0)
  })

  it('rejects an undefined group instead of listing all gadgets', async () => {
    const error = await client.gadgets
      .list({ groupId: undefined })
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'invalid_parameter', message: 'groupId is missing' })
    expect(server.seen).toHaveLength(0)
  })
})
