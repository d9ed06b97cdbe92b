import { describe, expect, it } from 'vitest'
import { splitFirstWord, trimCharacters, trimEndCharacters } from './trim.rules.ts'

describe('trimCharacters', () => {
  it.each([
    ['--a-b..', 'a-b'],
    ['.-.', ''],
    ['', ''],
    ['a', 'a'],
  ])('strips %j of dashes and dots', (text, trimmed) => {
    expect(trimCharacters(text, '-.')).toBe(trimmed)
  })
})

describe('trimEndCharacters', () => {
  it('keeps the start', () => {
    expect(trimEndCharacters('//a//', '/')).toBe('//a')
  })
})

describe('splitFirstWord', () => {
  it.each([
    ['v1', ['v1', '']],
    ['v1 \t a message ', ['v1', 'a message']],
    ['', ['', '']],
  ])('splits %j', (text, parts) => {
    expect(splitFirstWord(text)).toEqual(parts)
  })
})
