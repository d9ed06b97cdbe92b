import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closingReferences } from './closing.rules.ts'

const webUrl = 'https://host.example'
const closed = (text: string) =>
  closingReferences(text, { webUrl }).map(({ path, id }) => (path === null ? id : `${path}#${id}`))

const words = [
  ...['close', 'closes', 'closed', 'closing', 'fix', 'fixes', 'fixed', 'fixing'],
  ...['resolve', 'resolves', 'resolved', 'resolving'],
  ...['implement', 'implements', 'implemented', 'implementing'],
]

describe('closingReferences', () => {
  it.each(words)('recognizes %s, in either case, with a colon or without', (word) => {
    const capital = word.charAt(0).toUpperCase() + word.slice(1)
    for (const text of [word, capital]) {
      expect(closed(`${text} #1`)).toEqual([1])
      expect(closed(`This ${text}: #1.`)).toEqual([1])
    }
  })

  it.each([
    ['Closes #4, #6, Related to #5', [4, 6]],
    ['Fixes #1 and #2', [1, 2]],
    ['Fixes #1, #2, and #3', [1, 2, 3]],
    ['Fixes #1 #2', [1, 2]],
    ['Fixes #1,#2', [1, 2]],
    ['Fixes issue #1', [1]],
    ['Fixes issues #1, issue #2', [1, 2]],
    ['Fixes project#1, group/project#2', ['project#1', 'group/project#2']],
    [`Fixes ${webUrl}/g/p/issues/3`, ['g/p#3']],
    ['Fixes ABC-12, #4', [4]],
    ['Fixes #1. Closes #2', [1, 2]],
    ['Fixes #1 and closes #2', [1, 2]],
    ['Fixes #1\n\nSee #2', [1]],
    ['Fixes\t#1', [1]],
    ['Fixes #1 and #1', [1, 1]],
  ])('reads %j', (text, issues) => {
    expect(closed(text)).toEqual(issues)
  })

  it.each([
    '#1',
    'See #1',
    'Fixes#1',
    'Fixes:#1',
    'Fixes the #1',
    'Fixes\n#1',
    'FIXES #1',
    'prefixes #1',
    'unresolved #1',
    'fixer #1',
    'Fixes !1',
    'Fixes #',
    'Fixes @user',
    '`Fixes #1`',
    'Fixes `#1`',
    'Fixes https://elsewhere.example/g/p/issues/3',
  ])('closes nothing for %j', (text) => {
    expect(closed(text)).toEqual([])
  })

  it('finds every list, and nothing else', () => {
    const ids = fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 5 })
    const separator = fc.constantFrom(', ', ' and ', ', and ', ' ', ',')
    const list = fc.tuple(fc.constantFrom(...words), separator, ids)
    fc.assert(
      fc.property(fc.array(list), (lists) => {
        const text = lists
          .map(
            ([word, between, some]) => `${word} ${some.map((id) => `#${id}`).join(between)}; #77`,
          )
          .join('. ')
        expect(closed(text)).toEqual(lists.flatMap(([, , some]) => some))
      }),
    )
  })
})
