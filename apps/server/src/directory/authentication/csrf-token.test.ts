import { describe, expect, it } from 'vitest'
import { isCsrfToken, maskCsrfToken } from './csrf-token.ts'
import { newSecret } from './secret.ts'

const token = newSecret()

describe('maskCsrfToken', () => {
  it('gives another text each time, of one length and without the token', () => {
    const texts = Array.from({ length: 50 }, () => maskCsrfToken(token))
    expect(new Set(texts).size).toBe(50)
    expect(new Set(texts.map(({ length }) => length)).size).toBe(1)
    for (const text of texts) expect(text).not.toContain(token.slice(0, 8))
  })
})

describe('isCsrfToken', () => {
  it('is true of the token and of its masks', () => {
    expect(isCsrfToken(token, token)).toBe(true)
    for (let count = 0; count < 50; count += 1) {
      expect(isCsrfToken(maskCsrfToken(token), token)).toBe(true)
    }
  })

  it.each([
    ['nothing', ''],
    ['half a mask', maskCsrfToken(token).slice(0, 36)],
    ['a mask of another token', maskCsrfToken(newSecret())],
    ['another token', newSecret()],
    ['a mask of nothing', 'AAAA'],
    ['zeros', 'A'.repeat(72)],
    ['a long text', 'A'.repeat(1_000_000)],
    ['no base64', '\u0000é%'.repeat(10)],
  ])('is false of %s', (_, sent) => {
    expect(isCsrfToken(sent, token)).toBe(false)
  })
})
