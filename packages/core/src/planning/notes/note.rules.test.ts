import { describe, expect, it } from 'vitest'
import { maxProseLength } from '../../platform/contract/text-options.ts'
import { acceptsReplies, isResolvable, noteTextProblem } from './note.rules.ts'

describe('noteTextProblem', () => {
  it('rejects blank texts', () => {
    for (const text of ['', ' ', '\n\t\u00a0']) expect(noteTextProblem(text)).toBe("can't be blank")
    expect(noteTextProblem(' x ')).toBeUndefined()
  })

  it('counts characters, of which some have two UTF-16 units', () => {
    const tooLong = 'is too long (maximum is 1000000 characters)'
    expect(noteTextProblem('a'.repeat(maxProseLength))).toBeUndefined()
    expect(noteTextProblem('a'.repeat(maxProseLength + 1))).toBe(tooLong)
    expect(noteTextProblem('😀'.repeat(maxProseLength))).toBeUndefined()
    expect(noteTextProblem(`${'😀'.repeat(maxProseLength - 1)}ab`)).toBe(tooLong)
    expect(noteTextProblem('😀'.repeat(maxProseLength + 1))).toBe(tooLong)
  })
})

describe('acceptsReplies', () => {
  it('is true for threads, and for single comments that can become one', () => {
    const note = { type: null, system: false } as const
    expect(acceptsReplies({ ...note, noteableType: 'commit' })).toBe(false)
    expect(acceptsReplies({ ...note, noteableType: 'epic' })).toBe(false)
    expect(acceptsReplies({ ...note, noteableType: 'issue' })).toBe(true)
    expect(acceptsReplies({ ...note, noteableType: 'commit', type: 'diff_note' })).toBe(true)
    expect(acceptsReplies({ ...note, noteableType: 'commit', type: 'discussion_note' })).toBe(true)
    expect(acceptsReplies({ ...note, noteableType: 'issue', system: true })).toBe(false)
  })
})

describe('isResolvable', () => {
  it('is true for threads of merge requests only', () => {
    const note = { noteableType: 'merge_request', type: 'diff_note', system: false } as const
    expect(isResolvable(note)).toBe(true)
    expect(isResolvable({ ...note, type: null })).toBe(false)
    expect(isResolvable({ ...note, system: true })).toBe(false)
    expect(isResolvable({ ...note, noteableType: 'commit' })).toBe(false)
  })
})
