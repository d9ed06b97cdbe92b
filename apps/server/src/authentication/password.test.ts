import { describe, expect, it } from 'vitest'
import { hashPassword, pretendToVerify, verifyPassword } from './password.ts'

describe('hashPassword', () => {
  it('writes argon2id in PHC form, with a salt of its own each time', async () => {
    const [one, other] = await Promise.all([
      hashPassword('a', 'minimal'),
      hashPassword('a', 'minimal'),
    ])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=16,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(one).not.toBe(other)
  })

  it('costs at least what is recommended outside of tests', async () => {
    expect(await hashPassword('a', 'standard')).toContain('$m=19456,t=2,p=1$')
  })
})

describe('verifyPassword', () => {
  it('knows the password whatever the cost was, and no other', async () => {
    for (const cost of ['minimal', 'standard'] as const) {
      const stored = await hashPassword('pässword', cost)
      expect(await verifyPassword('pässword', stored)).toBe(true)
      expect(await verifyPassword('pässwore', stored)).toBe(false)
      expect(await verifyPassword('', stored)).toBe(false)
    }
  })

  it('agrees with the reference implementation', async () => {
    // RFC 9106 has no vector without secret and data; this one is of the reference command line tool.
    const stored =
      '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await verifyPassword('password', stored)).toBe(true)
  })

  it('takes malformed hashes for a mistake', async () => {
    await expect(verifyPassword('a', '$2b$12$abc')).rejects.toThrow('malformed')
  })
})

describe('pretendToVerify', () => {
  it('takes about as long as a verification', async () => {
    const stored = await hashPassword('a', 'standard')
    await pretendToVerify('warm up', 'standard')
    // The fastest of several: other work on the machine only ever adds time.
    const time = async (work: () => Promise<unknown>) => {
      const times: number[] = []
      for (let i = 0; i < 7; i += 1) {
        const started = performance.now()
        await work()
        times.push(performance.now() - started)
      }
      return Math.min(...times)
    }
    const real = await time(() => verifyPassword('b', stored))
    const pretended = await time(() => pretendToVerify('b', 'standard'))
    expect(pretended / real).toBeGreaterThan(0.3)
    expect(pretended / real).toBeLessThan(3)
  })
})
