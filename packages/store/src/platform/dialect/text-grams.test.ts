import { describe, expect, it } from 'vitest'
import { mayContain, signatureOf, trigramQuery, trigramWords } from './text-grams.ts'

const words = (text: string) => trigramWords(text).trimStart().split(' ')

describe('trigramWords', () => {
  it('has each trigram once', () => {
    expect(words('abcabcabd')).toEqual(['abc', 'bca', 'cab', 'abd'])
    expect(words('éaéaé')).toHaveLength(2)
    expect(trigramWords('ab')).toBe('')
  })

  it('has no blank or punctuation inside of a word', () => {
    const ascii = Array.from({ length: 128 }, (_, unit) => String.fromCharCode(unit)).join('')
    for (const text of [
      ascii.toLowerCase(),
      '日本語のテキスト',
      '\u00a0 \u2003',
      '😀😀',
      '\ud83d\udc00x',
    ]) {
      for (const word of words(text)) {
        expect(word).toMatch(/^[a-z0-9\u0080-\u{10ffff}]{3}$/u)
        expect(word.isWellFormed()).toBe(true)
      }
    }
  })

  it('knows texts apart that came one after the other', () => {
    expect(trigramWords('abc')).toBe(trigramWords('abc'))
    expect(words('abcd')).toEqual(['abc', 'bcd'])
  })
})

describe('trigramQuery', () => {
  it('asks for the words that the text has', () => {
    for (const text of ['return x;', 'é€😀', 'a\nb', '日本語']) {
      const asked = trigramQuery(text)
        ?.split(' AND ')
        .map((word) => word.slice(1, -1))
      expect(asked).toEqual(words(text))
    }
    expect(trigramQuery('ab')).toBeUndefined()
    expect(trigramQuery('x'.repeat(3))).toBe('"xxx"')
  })

  it('asks for 64 words of a long text', () => {
    const long = Array.from({ length: 500 }, (_, number) => `${number}`).join(':')
    expect(trigramQuery(long)?.split(' AND ').length).toBeLessThanOrEqual(64)
  })
})

describe('a signature', () => {
  const text = `const value = 'é€😀 日本語'\r\n${Array.from({ length: 300 }, (_, n) => `line ${n}\n`).join('')}`

  it('may contain all parts of its text', () => {
    const signature = signatureOf(text)
    for (let start = 0; start < text.length; start += 7) {
      for (const length of [1, 2, 3, 4, 5, 6, 7, 20, 400]) {
        const part = text.slice(start, start + length)
        expect(mayContain(signature, part), part).toBe(true)
      }
    }
    expect(mayContain(signature, '')).toBe(true)
    expect(mayContain(signatureOf(''), '')).toBe(true)
  })

  it('contains few others', () => {
    const signature = signatureOf(text)
    const others = Array.from({ length: 500 }, (_, number) => `e ${number} line`)
    expect(others.filter((other) => mayContain(signature, other)).length).toBeLessThan(50)
    const pairs = Array.from({ length: 500 }, (_, number) =>
      String.fromCharCode(0x3000 + number, 0x4000),
    )
    expect(pairs.filter((pair) => mayContain(signature, pair)).length).toBeLessThan(125)
    expect(mayContain(signatureOf(''), 'a')).toBe(false)
  })

  it('has a size of at most three bits for a character, of at least 64', () => {
    expect(signatureOf('')).toHaveLength(8)
    for (const length of [100, 1000, 100_000]) {
      const bits = 8 * signatureOf('x'.repeat(length)).length
      expect(bits).toBeGreaterThanOrEqual(1.5 * length)
      expect(bits).toBeLessThanOrEqual(3 * length + 3)
    }
  })
})
