import { describe, expect, it } from 'vitest'
import { isResolvable, maxNoteLength, noteTextProblem, takesReplies } from './note.rules.ts'

describe('noteTextProblem', () => {
  it('refuses texts of nothing but space', () => {
    for (const text of ['', ' ', '\n\t\u00a0']) expect(noteTextProblem(text)).toBe("can't be blank")
    expect(noteTextProblem(' x ')).toBeUndefined()
  })

  it('counts characters, of which some are two units long', () => {
    const tooLong = 'is too long (maximum is 1000000 characters)'
    expect(noteTextProblem('a'.repeat(maxNoteLength))).toBeUndefined()
    expect(noteTextProblem('a'.repeat(maxNoteLength + 1))).toBe(tooLong)
    expect(noteTextProblem('😀'.repeat(maxNoteLength))).toBeUndefined()
    expect(noteTextProblem(`${'😀'.repeat(maxNoteLength - 1)}ab`)).toBe(tooLong)
    expect(noteTextProblem('😀'.repeat(maxNoteLength + 1))).toBe(tooLong)
  })
})

describe('takesReplies', () => {
  it('is true of threads everywhere, and of single comments where they can become one', () => {
    const note = { type: null, system: false } as const
    expect(takesReplies({ ...note, noteableType: 'commit' })).toBe(false)
    expect(takesReplies({ ...note, noteableType: 'epic' })).toBe(false)
    expect(takesReplies({ ...note, noteableType: 'issue' })).toBe(true)
    expect(takesReplies({ ...note, noteableType: 'commit', type: 'diff_note' })).toBe(true)
    expect(takesReplies({ ...note, noteableType: 'commit', type: 'discussion_note' })).toBe(true)
    expect(takesReplies({ ...note, noteableType: 'issue', system: true })).toBe(false)
  })
})

describe('isResolvable', () => {
  it('is true of threads of merge requests alone', () => {
    const note = { noteableType: 'merge_request', type: 'diff_note', system: false } as const
    expect(isResolvable(note)).toBe(true)
    expect(isResolvable({ ...note, type: null })).toBe(false)
    expect(isResolvable({ ...note, system: true })).toBe(false)
    expect(isResolvable({ ...note, noteableType: 'commit' })).toBe(false)
  })
})
