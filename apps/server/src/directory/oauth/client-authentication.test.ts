import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { App } from '../../platform/app.ts'

// A spy on the whole module would replace methods of streams, which other files of the worker use.
vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof import('node:crypto')>()
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) }
})

// Another file of the same worker may have loaded the modules with the real `timingSafeEqual`.
vi.resetModules()
const { authenticateClient } = await import('./client-authentication.ts')
const { verifies } = await import('./pkce.ts')
const { readParameters } = await import('./request-parameters.ts')
const { hashSecret } = await import('../authentication/secret.ts')

const row = { id: 1, uid: 'app', secretHash: hashSecret('right'), confidential: 1 }
const app = { db: { first: async () => row } } as unknown as App
const request = { headers: {} } as FastifyRequest
const authenticate = (secret: string) =>
  authenticateClient(app, request, readParameters({ client_id: 'app', client_secret: secret }))

beforeEach(() => {
  vi.mocked(timingSafeEqual).mockClear()
})

describe('the secret of a client', () => {
  it('is compared in constant time, whatever its length', async () => {
    expect(await authenticate('right')).toBe(row)
    for (const wrong of ['wrong', 'r', 'x'.repeat(4000)]) {
      await expect(authenticate(wrong)).rejects.toMatchObject({ code: 'invalid_client' })
    }
    expect(timingSafeEqual).toHaveBeenCalledTimes(4)
  })
})

describe('the verifier of a challenge', () => {
  it.each(['S256', 'plain'] as const)('is compared in constant time: %s', (method) => {
    const value = 'x'.repeat(43)
    expect(verifies('y'.repeat(43), { value, method })).toBe(false)
    expect(verifies('y'.repeat(128), { value, method })).toBe(false)
    expect(timingSafeEqual).toHaveBeenCalledTimes(2)
  })
})
