import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { approvalProgress, countsFor, isOpenToAll, raisedApprovals } from './approval.rules.ts'

const rule = (approvalsRequired: number, ...ids: number[]) => ({
  approvalsRequired,
  approverIds: new Set(ids),
})

describe('isOpenToAll', () => {
  it.each([
    [rule(0), true],
    [rule(1), true],
    [rule(2, 1), true],
    [rule(1, 1), false],
    [rule(0, 1), false],
    [rule(2, 1, 2, 3), false],
  ])('%o: %s', (each, open) => {
    expect(isOpenToAll(each)).toBe(open)
  })
})

describe('approvalProgress', () => {
  it('counts listed approvers alone where there are enough of them', () => {
    expect(approvalProgress(rule(2, 1, 2), [3, 1])).toEqual({ approvedBy: [1], approvalsLeft: 1 })
  })

  it('counts everyone where too few are listed', () => {
    const all = { approvedBy: [3, 1], approvalsLeft: 0 }
    expect(approvalProgress(rule(2, 1), [3, 1])).toEqual(all)
  })

  it('is never negative, and each counted approval reduces what is left', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 12 }))
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), ids, ids, (required, listed, given) => {
        const each = rule(required, ...listed)
        const { approvedBy, approvalsLeft } = approvalProgress(each, given)
        expect(approvalsLeft).toBe(Math.max(0, required - approvedBy.length))
        expect(approvedBy).toEqual(given.filter((id) => countsFor(each, id)))
      }),
    )
  })

  it('can always be satisfied by those who count', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 12 }))
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), ids, (required, listed) => {
        const everyone = Array.from({ length: 12 }, (_, index) => index + 1)
        expect(approvalProgress(rule(required, ...listed), everyone).approvalsLeft).toBe(0)
      }),
    )
  })
})

describe('raisedApprovals', () => {
  it.each([
    [2, null, 2],
    [2, 1, 2],
    [2, 3, 3],
  ])('of %s, and %s of the merge request: %s', (ofProject, ofRequest, number) => {
    expect(raisedApprovals(ofProject, ofRequest)).toBe(number)
  })
})
