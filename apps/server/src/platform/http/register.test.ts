import { setTimeout as wait } from 'node:timers/promises'
import { type Contract, endpoint } from '@stithy/core'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { authenticate } from '../../directory/authentication/authenticate-request.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { registerBodyParsers } from './body-parsers.ts'
import { createBodySlots } from './body-slots.ts'
import type { Handlers } from './call.ts'
import { registerContract } from './register.ts'

const contract = {
  wait: endpoint({
    name: 'requests.wait',
    method: 'POST',
    path: '/wait',
    body: z.object({}),
    response: { 201: z.object({ aborted: z.boolean() }) },
    auth: 'public',
    docs: { summary: 'Wait a little' },
  }),
} satisfies Contract

describe('the signal of a call', () => {
  let server: TestServer
  let pages: FastifyInstance
  let base: string
  let signal: AbortSignal | undefined
  const handlers: Handlers<typeof contract> = {
    async wait(call) {
      const own = call.signal()
      signal = own
      await wait(150)
      return { aborted: own.aborted }
    },
  }

  beforeAll(async () => {
    server = await buildTestServer()
    pages = fastify()
    await registerBodyParsers(pages)
    const guards = { authenticate, guard: () => {}, bodies: createBodySlots() }
    registerContract(pages, server.app, contract, handlers, guards)
    base = await pages.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    await pages.close()
    await server.close()
  })

  function send(signal?: AbortSignal): Promise<Response> {
    return fetch(`${base}/api/v4/wait`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      ...(signal === undefined ? {} : { signal }),
    })
  }

  it('is not aborted after the body of the request was read', async () => {
    expect(await (await send()).json()).toEqual({ aborted: false })
  })

  it('is aborted when the client disconnects', async () => {
    signal = undefined
    const client = new AbortController()
    const sent = send(client.signal)
    await expect.poll(() => signal).toBeDefined()
    client.abort()
    await expect(sent).rejects.toThrow()
    await expect.poll(() => signal?.aborted).toBe(true)
  })
})
