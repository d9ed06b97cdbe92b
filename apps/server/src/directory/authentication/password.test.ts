import { argon2 } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'

// A spy on the whole module would replace methods of streams, which other files of the worker use.
vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof import('node:crypto')>()
  return { ...crypto, argon2: vi.fn(crypto.argon2) }
})

// Another file of the same worker may have loaded the module with the real `argon2`.
vi.resetModules()
const { hashPassword, simulateVerify, verifyPassword } = await import('./password.ts')

describe('hashPassword', () => {
  it('produces an argon2id PHC string with a new salt each time', async () => {
    const [one, other] = await Promise.all([
      hashPassword('a', 'minimal'),
      hashPassword('a', 'minimal'),
    ])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=16,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(one).not.toBe(other)
  })

  it('has at least the recommended cost outside of tests', async () => {
    expect(await hashPassword('a', 'standard')).toContain('$m=19456,t=2,p=1$')
  })

  it('runs two hashes at a time, and completes all of them', async () => {
    const { argon2: derive } = await vi.importActual<typeof import('node:crypto')>('node:crypto')
    let running = 0
    let maxRunning = 0
    vi.mocked(argon2).mockImplementation((algorithm, parameters, done) => {
      running += 1
      maxRunning = Math.max(maxRunning, running)
      try {
        derive(algorithm, parameters, (error, tag) => {
          running -= 1
          done(error, tag)
        })
      } catch (error) {
        // Parameters that are out of range.
        running -= 1
        throw error
      }
    })
    const tooLittleMemory = '$argon2id$v=19$m=1,t=1,p=1$c29tZXNhbHQ$c29tZXNhbHQ'
    const all = Array.from({ length: 9 }, (_, i) =>
      i % 3 === 0 ? verifyPassword('a', tooLittleMemory) : hashPassword('a', 'minimal'),
    )
    const results = await Promise.allSettled(all)
    vi.mocked(argon2).mockReset()
    expect(maxRunning).toBe(2)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
    expect(await hashPassword('again', 'minimal')).toContain('$argon2id$')
  })
})

describe('many hashes at once', () => {
  it('are rejected with `unavailable` beyond a bounded queue, and later ones work', async () => {
    const all = Array.from({ length: 200 }, () => hashPassword('a', 'minimal'))
    const results = await Promise.allSettled(all)
    const rejected = results.filter((result) => result.status === 'rejected')
    expect(rejected.length).toBeGreaterThan(100)
    for (const { reason } of rejected) {
      expect(reason).toMatchObject({ code: 'unavailable', detail: { retryAfter: 2 } })
    }
    expect(await hashPassword('again', 'minimal')).toContain('$argon2id$')
  })
})

describe('verifyPassword', () => {
  it('accepts the password at any cost, and no other', async () => {
    for (const cost of ['minimal', 'standard'] as const) {
      const stored = await hashPassword('pässword', cost)
      expect(await verifyPassword('pässword', stored)).toBe(true)
      expect(await verifyPassword('pässwore', stored)).toBe(false)
      expect(await verifyPassword('', stored)).toBe(false)
    }
  })

  it('agrees with the reference implementation', async () => {
    // RFC 9106 has no test vector without secret and data; this one is from the reference CLI.
    const stored =
      '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await verifyPassword('password', stored)).toBe(true)
  })

  it('rejects malformed hashes', async () => {
    await expect(verifyPassword('a', '$2b$12$abc')).rejects.toThrow('malformed')
  })
})

describe('simulateVerify', () => {
  it('does the work of a verification: one hash with the same parameters', async () => {
    const stored = await hashPassword('a', 'standard')
    await simulateVerify('first', 'standard')
    const real = await argon2Calls(() => verifyPassword('b', stored))
    const simulated = await argon2Calls(() => simulateVerify('b', 'standard'))
    expect(real).toHaveLength(1)
    expect(simulated).toEqual(real)
  })
})

/** Algorithm and parameters of each call of argon2, without the salt. */
async function argon2Calls(work: () => Promise<unknown>): Promise<unknown[]> {
  vi.mocked(argon2).mockClear()
  await work()
  return vi.mocked(argon2).mock.calls.map(([algorithm, { nonce: _, ...parameters }]) => {
    return { algorithm, ...parameters }
  })
}

describe('a password that waits to be checked', () => {
  it('is dropped when the client disconnects', async () => {
    const stored = await hashPassword('a', 'minimal')
    const controller = new AbortController()
    vi.mocked(argon2).mockClear()
    const running = [hashPassword('b', 'minimal'), hashPassword('c', 'minimal')]
    const dropped = Array.from({ length: 40 }, () => verifyPassword('a', stored, controller.signal))
    controller.abort()
    const results = await Promise.allSettled([...running, ...dropped])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(argon2).toHaveBeenCalledTimes(2)
  })
})
