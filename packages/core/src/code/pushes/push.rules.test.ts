import { describe, expect, it } from 'vitest'
import { firstDefaultBranch, movedUnrecorded, pushDataOf, type RefUpdate } from './push.rules.ts'

const oid = 'a'.repeat(40)
const other = 'b'.repeat(40)

function update(ref: string, before: string | null, after: string | null): RefUpdate {
  return { ref, before, after }
}

describe('pushDataOf', () => {
  const branch = { type: 'branch', name: 'x' } as const

  it('describes a created, an updated and a deleted branch', () => {
    const commits = { count: 2, title: 'One' }
    expect(pushDataOf(update('refs/heads/x', null, oid), branch, commits)).toEqual({
      commit_count: 2,
      action: 'created',
      ref_type: 'branch',
      commit_from: null,
      commit_to: oid,
      ref: 'x',
      commit_title: 'One',
    })
    expect(pushDataOf(update('refs/heads/x', oid, other), branch, commits).action).toBe('pushed')
    const removed = pushDataOf(update('refs/heads/x', oid, null), branch, { count: 0, title: null })
    expect(removed).toMatchObject({ action: 'removed', commit_to: null, commit_title: null })
  })

  it('truncates titles to 70 characters without splitting one', () => {
    const title = '😀'.repeat(80)
    const data = pushDataOf(update('refs/heads/x', null, oid), branch, { count: 1, title })
    expect(Array.from(data.commit_title ?? '')).toHaveLength(70)
    expect(data.commit_title?.isWellFormed()).toBe(true)
  })
})

describe('firstDefaultBranch', () => {
  const branches = (...names: string[]) =>
    names.map((name) => update(`refs/heads/${name}`, null, oid))

  it('is the first branch pushed', () => {
    const updates = [update('refs/tags/v1', null, oid), ...branches('b', 'a')]
    expect(firstDefaultBranch(updates, ['trunk'])).toBe('b')
  })

  it('prefers the configured names, then main, then master', () => {
    const updates = branches('b', 'master', 'main', 'second', 'first')
    expect(firstDefaultBranch(updates, ['first', 'second'])).toBe('first')
    expect(firstDefaultBranch(updates, ['gone', 'second'])).toBe('second')
    expect(firstDefaultBranch(updates, ['gone'])).toBe('main')
    expect(firstDefaultBranch(branches('b', 'master'), ['gone'])).toBe('master')
  })

  it('is null when no branch was pushed', () => {
    expect(firstDefaultBranch([update('refs/tags/v1', null, oid)], ['master'])).toBeNull()
    expect(firstDefaultBranch([update('refs/heads/b', oid, null)], ['master'])).toBeNull()
  })
})

describe('movedUnrecorded', () => {
  const third = 'c'.repeat(40)
  const move = update('refs/heads/x', oid, other)
  const none = { recorded: [], attempted: [] }

  it('is true when the ref is at the target of the push', () => {
    expect(movedUnrecorded(move, other, none)).toBe(true)
  })

  it('is false when the ref never moved', () => {
    expect(movedUnrecorded(move, oid, none)).toBe(false)
    expect(movedUnrecorded(update('refs/heads/x', null, oid), null, none)).toBe(false)
  })

  it('is false when this move has been recorded', () => {
    const moves = { recorded: [{ from: oid, to: other }], attempted: [] }
    expect(movedUnrecorded(move, other, moves)).toBe(false)
    expect(movedUnrecorded(move, third, moves)).toBe(false)
  })

  it('is true when another push started from the target', () => {
    const onward = [{ from: other, to: third }]
    expect(movedUnrecorded(move, third, { recorded: onward, attempted: [] })).toBe(true)
    expect(movedUnrecorded(move, third, { recorded: [], attempted: onward })).toBe(true)
  })

  it('is false when another push won', () => {
    const moves = { recorded: [{ from: oid, to: third }], attempted: [] }
    expect(movedUnrecorded(move, third, moves)).toBe(false)
  })
})
