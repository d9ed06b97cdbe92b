import { describe, expect, it } from 'vitest'
import { languageShares } from './language.rules.ts'

describe('languageShares', () => {
  it('rounds to two decimals, the largest first, then by name', () => {
    const shares = languageShares(
      new Map([
        ['Ruby', 1],
        ['Go', 1],
        ['C', 4],
      ]),
    )
    expect(Object.entries(shares)).toEqual([
      ['C', 66.67],
      ['Go', 16.67],
      ['Ruby', 16.67],
    ])
    expect(languageShares(new Map())).toEqual({})
  })
})
