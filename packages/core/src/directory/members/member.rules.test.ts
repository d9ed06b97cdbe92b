import { describe, expect, it } from 'vitest'
import {
  endsOwnership,
  expiryErrors,
  inheritedLevelErrors,
  isLastOwner,
  levelName,
} from './member.rules.ts'

const today = '2026-03-10'

describe('inheritedLevelErrors', () => {
  const inherited = { accessLevel: 30, groupName: 'Top' }

  it('rejects a level below the inherited one', () => {
    expect(inheritedLevelErrors(20, inherited)).toEqual({
      access_level: [
        'should be greater than or equal to Developer inherited membership from group Top',
      ],
    })
  })

  it('accepts the same level, a higher one, and any without inheritance', () => {
    expect(inheritedLevelErrors(30, inherited)).toBeUndefined()
    expect(inheritedLevelErrors(40, inherited)).toBeUndefined()
    expect(inheritedLevelErrors(10, undefined)).toBeUndefined()
  })
})

describe('expiryErrors', () => {
  it.each([
    ['2026-03-09', false],
    ['2026-03-10', true],
    ['2027-01-01', true],
    [null, true],
    [undefined, true],
  ])('accepts %s: %s', (expiresOn, fine) => {
    expect(expiryErrors(expiresOn, today) === undefined).toBe(fine)
  })
})

describe('isLastOwner', () => {
  const owner = (userId: number, expiresOn: string | null = null) => ({
    userId,
    accessLevel: 50,
    expiresOn,
    state: 'active' as const,
  })

  it.each([
    ['alone', [owner(1)], true],
    ['with a maintainer', [owner(1), { ...owner(2), accessLevel: 40 }], true],
    ['with an expired owner', [owner(1), owner(2, '2026-03-09')], true],
    ['with an owner who expires', [owner(1), owner(2, '2099-01-01')], true],
    ['with a blocked owner', [owner(1), { ...owner(2), state: 'blocked' as const }], true],
    ['expiring, without another owner', [owner(1, today)], true],
    ['expiring, with another owner', [owner(1, today), owner(2)], false],
    ['blocked, without another owner', [{ ...owner(1), state: 'blocked' as const }], true],
    ['as a maintainer', [{ ...owner(1), accessLevel: 40 }], false],
    ['with another owner', [owner(1), owner(2)], false],
    ['when another user is the owner', [owner(2)], false],
    ['in a group without owners', [], false],
  ])('%s', (_, members, expected) => {
    expect(isLastOwner(members, 1)).toBe(expected)
  })
})

describe('endsOwnership', () => {
  const owner = (expiresOn: string | null = null) => ({ accessLevel: 50, expiresOn })

  it.each([
    ['demotion', owner(), { ...owner(), accessLevel: 40 }, true],
    ['an expiry', owner(), owner(today), true],
    ['an earlier expiry', owner('2026-04-01'), owner(today), true],
    ['the same expiry', owner(today), owner(today), false],
    ['a later expiry', owner(today), owner('2026-04-01'), false],
    ['no expiry', owner(today), owner(), false],
    ['nothing', owner(), owner(), false],
    ['an expiry for a maintainer', { accessLevel: 40, expiresOn: null }, owner(today), false],
  ])('%s', (_, before, after, expected) => {
    expect(endsOwnership(before, after)).toBe(expected)
  })
})

describe('levelName', () => {
  it('names every level', () => {
    expect([10, 20, 30, 40, 50].map(levelName)).toEqual([
      'Guest',
      'Reporter',
      'Developer',
      'Maintainer',
      'Owner',
    ])
  })
})
