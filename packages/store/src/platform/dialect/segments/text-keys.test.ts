import { describe, expect, it } from 'vitest'
import { firstSignatureKey, keyLimit, searchedKeys, symbols } from './text-keys.ts'

describe('symbols', () => {
  it('are the units of ASCII themselves', () => {
    expect([...symbols.subarray(0, 128)]).toEqual(Array.from({ length: 128 }, (_, unit) => unit))
    expect(symbols.subarray(128).every((symbol) => symbol >= 128)).toBe(true)
  })

  it('tell letters of an alphabet apart', () => {
    for (const alphabet of ['абвгдежзийклмнопрстуфхцчшщъыьэюя', 'αβγδεζηθικλμνξοπρστυφχψω']) {
      const different = new Set([...alphabet].map((letter) => symbols[letter.charCodeAt(0)]))
      expect(different.size).toBe(alphabet.length)
    }
  })
})

describe('searchedKeys', () => {
  const signed = (text: string) =>
    searchedKeys(text, true).filter(({ from }) => from >= firstSignatureKey)

  it('are a range of trigrams for one or two units', () => {
    for (const text of ['a', 'é', 'ab', 'é€']) {
      const [range, ...others] = searchedKeys(text, true)
      expect(others).toEqual([])
      const [longer] = searchedKeys(`${text}cd`.slice(0, 3), false)
      expect(longer?.from).toBeGreaterThanOrEqual(range?.from ?? keyLimit)
      expect(longer?.to).toBeLessThanOrEqual(range?.to ?? 0)
    }
  })

  it('are trigrams, and parts of signatures from six units on', () => {
    expect(searchedKeys('return', false)).toHaveLength(4)
    expect(searchedKeys('retur', true)).toHaveLength(3)
    expect(searchedKeys('return', true)).toHaveLength(5)
    expect(signed('return x')).toHaveLength(3)
  })

  it('are few for a long text', () => {
    const long = Array.from({ length: 5000 }, (_, number) => `${number}`).join(':')
    expect(searchedKeys(long, true).length).toBeLessThanOrEqual(32)
    expect(searchedKeys(long, false).length).toBeLessThanOrEqual(64)
    expect(signed(long)).toEqual(signed(long.slice(0, 256)))
  })
})
