import { describe, expect, it } from 'vitest'
import { mergeStatuses } from '../../planning/items/merge-request.schema.ts'
import {
  isOutdatedMergeStatus,
  isUnfinishedCommit,
  isWorkInProgress,
  mergeRequestHeadRef,
  outdatedMergeStatus,
  withWorkInProgress,
} from './merge-request.rules.ts'

describe('isWorkInProgress', () => {
  it.each(['WIP: a', 'wip:a', '[WIP] a', '[wip]a', 'WIP a', 'wip\ta', ' WIP: a', '[WIP] WIP: a'])(
    'is true for %j',
    (title) => {
      expect(isWorkInProgress(title)).toBe(true)
    },
  )

  it.each(['a', 'WIPE out', 'Not WIP: a', 'WIP', '(WIP) a', 'wi p: a', ''])(
    'is false for %j',
    (title) => {
      expect(isWorkInProgress(title)).toBe(false)
    },
  )
})

describe('isUnfinishedCommit', () => {
  it.each(['WIP', 'WIP: a', 'wip a', '[WIP] a', 'fixup! a', 'squash! a', 'Squash! a'])(
    'is true for %j',
    (title) => {
      expect(isUnfinishedCommit(title)).toBe(true)
    },
  )

  it.each(['WIPE out', 'Fix up! a', 'fixup a', 'squash a', 'a fixup! b', 'a WIP', ''])(
    'is false for %j',
    (title) => {
      expect(isUnfinishedCommit(title)).toBe(false)
    },
  )
})

describe('withWorkInProgress', () => {
  it('adds the prefix once', () => {
    expect(withWorkInProgress('A')).toBe('WIP: A')
    expect(withWorkInProgress(withWorkInProgress('A'))).toBe('WIP: A')
    expect(withWorkInProgress('[wip] A')).toBe('[wip] A')
  })
})

describe('outdatedMergeStatus', () => {
  it('resets everything but a conflict', () => {
    expect(mergeStatuses.map(outdatedMergeStatus)).toEqual([
      'unchecked',
      'cannot_be_merged_recheck',
      'unchecked',
      'cannot_be_merged_recheck',
    ])
    expect(mergeStatuses.map(outdatedMergeStatus).every(isOutdatedMergeStatus)).toBe(true)
    expect(isOutdatedMergeStatus('can_be_merged')).toBe(false)
    expect(isOutdatedMergeStatus('cannot_be_merged')).toBe(false)
  })
})

describe('mergeRequestHeadRef', () => {
  it('is below refs/merge-requests', () => {
    expect(mergeRequestHeadRef(12)).toBe('refs/merge-requests/12/head')
  })
})
