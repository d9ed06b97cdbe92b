import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanReferences } from '../references/reference.rules.ts'
import { findMentions } from './mention.rules.ts'

const named = (text: string) => findMentions(text, scanReferences(text))

describe('findMentions', () => {
  it.each([
    ['@ann please look', ['ann'], []],
    ['  @ann', ['ann'], []],
    ['please look, @ann', [], ['ann']],
    ['@ann @bob, @carl thanks @dan', ['ann', 'bob', 'carl'], ['dan']],
    ['Title\n\n@ann hello\r\n@bob hello', ['ann', 'bob'], []],
    ['Title\r@ann', ['ann'], []],
    ['cc @ann\n@ann please', ['ann'], []],
    ['- @ann\n> @bob', [], ['ann', 'bob']],
    ['#1 @ann', [], ['ann']],
    ['@ann #1 @bob', ['ann'], ['bob']],
    ['@Ann @ANN @ann', ['ann'], []],
    ['@group/sub and @all', ['group/sub'], ['all']],
    ['`@ann` a@b.c\n```\n@bob\n```', [], []],
    ['', [], []],
  ])('%j', (text, addressed, mentioned) => {
    expect(named(text)).toEqual({ addressed, mentioned })
  })

  it('returns everyone once, as addressed or mentioned', () => {
    const words = fc.constantFrom('@ann', '@bob', 'word', ',', '\n', '#1', '@Ann')
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), (parts) => {
        const { addressed, mentioned } = named(parts.join(' '))
        const all = [...addressed, ...mentioned]
        expect(new Set(all).size).toBe(all.length)
        const written = parts.filter((part) => part.startsWith('@')).map((part) => part.slice(1))
        expect(new Set(all)).toEqual(new Set(written.map((name) => name.toLowerCase())))
      }),
    )
  })
})
