import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRefPattern } from '../../code/protected-refs/ref-pattern.rules.ts'
import { isBranchOrTagName, parseRef } from '../../code/repositories/ref-name.rules.ts'
import { isDocumented } from '../../testing/documented-text.ts'
import {
  branchText,
  fullRefText,
  optionalRefPatternText,
  refNameText,
  refPatternText,
} from './ref-names.ts'

/** ASCII, in which a character is a byte. */
const unit = fc.oneof(
  fc.constantFrom('a', '/', '.', '-', '~', '\0', '@', '{', ' ', '*', '[', '\\', '\x7f', '\n'),
  fc.constantFrom('.lock', 'HEAD', 'refs/', 'heads/', 'remotes/', 'tags/', 'x'.repeat(250)),
)
const name = fc.array(unit, { maxLength: 6 }).map((units) => units.join(''))

function agree(text: fc.Arbitrary<string>, isValid: (text: string) => boolean, documented: object) {
  fc.assert(
    fc.property(text, (each) => {
      expect([each, isDocumented(documented, each)]).toEqual([each, isValid(each)])
    }),
    { numRuns: 3000 },
  )
}

describe('the documented names of branches and tags', () => {
  it('are those that the rules accept', () => {
    agree(name, isBranchOrTagName, refNameText)
    agree(name, isBranchOrTagName, branchText)
  })

  it('are full refs as well where those are accepted', () => {
    const isFullRef = (ref: string) => isBranchOrTagName(parseRef(ref)?.name ?? ref)
    agree(name, isFullRef, fullRefText)
    const prefix = fc.constantFrom('refs/heads/', 'refs/tags/', 'refs/remotes/')
    const full = fc.tuple(prefix, name).map(([start, rest]) => start + rest)
    agree(full, isFullRef, fullRefText)
  })

  it('have wildcards where those are accepted', () => {
    agree(name, isRefPattern, refPatternText)
    agree(name, (text) => text === '' || isRefPattern(text), optionalRefPatternText)
  })
})
