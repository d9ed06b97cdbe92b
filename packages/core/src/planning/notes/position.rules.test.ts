import { describe, expect, it } from 'vitest'
import type { DomainError } from '../../platform/errors.ts'
import type { RequestedPosition } from './note.schema.ts'
import { positionNote, requirePositionPath } from './position.rules.ts'

const [parent, head] = ['a'.repeat(40), 'b'.repeat(40)]
const refs = { baseSha: parent, startSha: parent, headSha: head }
const shas = { base_sha: parent, start_sha: parent, head_sha: head }
const text: RequestedPosition = { ...shas, position_type: 'text', new_path: 'b.txt', new_line: 2 }
const file = {
  oldPath: 'a.txt',
  newPath: 'b.txt',
  diff: '--- a/a.txt\n+++ b/b.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
}

function refusal(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return (error as DomainError).message
  }
  throw new Error('nothing was refused')
}

describe('requirePositionPath', () => {
  it('returns the new path, or the old one when only that is given', () => {
    expect(requirePositionPath(text, refs)).toBe('b.txt')
    expect(requirePositionPath({ ...text, new_path: undefined, old_path: 'x' }, refs)).toBe('x')
  })

  it.each<Partial<RequestedPosition>>([
    { new_line: undefined },
    { new_path: undefined },
    { position_type: 'image' },
    { position_type: 'image', width: 1, height: 1, x: 0 },
    { position_type: 'image', width: 1, height: 1, x: 0, y: -1 },
  ])('rejects incomplete positions: %j', (changes) => {
    expect(refusal(() => requirePositionPath({ ...text, ...changes }, refs))).toBe(
      '400 (Bad request) "position is incomplete" not given',
    )
  })

  it.each(['base_sha', 'start_sha', 'head_sha'])('rejects another %s', (name) => {
    const other = { ...text, [name]: 'c'.repeat(40) }
    expect(refusal(() => requirePositionPath(other, refs))).toContain('does not belong')
  })
})

describe('positionNote', () => {
  it('finds an added line by its new number, a removed one by its old, an unchanged one by both', () => {
    const at = (old_line?: number, new_line?: number) =>
      positionNote({ ...text, old_line, new_line }, file)
    expect(at(undefined, 2).position).toEqual({
      ...shas,
      position_type: 'text',
      old_path: 'a.txt',
      new_path: 'b.txt',
      old_line: null,
      new_line: 2,
    })
    expect(at(2, undefined).line).toEqual({ kind: 'removed', oldLine: 2, newLine: 2 })
    expect(at(1, 1).line).toEqual({ kind: 'unchanged', oldLine: 1, newLine: 1 })
    for (const [oldLine, newLine] of [
      [2, 2],
      [undefined, 1],
      [1, undefined],
      [undefined, 3],
      [undefined, 0],
      [-1, undefined],
    ] as const) {
      expect(refusal(() => at(oldLine, newLine))).toContain('line_code')
    }
  })

  it('rejects paths that are not those of the file', () => {
    expect(refusal(() => positionNote(text, undefined))).toContain('line_code')
    expect(refusal(() => positionNote({ ...text, old_path: 'c.txt' }, file))).toContain('line_code')
    expect(positionNote({ ...text, old_path: 'a.txt' }, file).line?.kind).toBe('added')
  })

  it('accepts a point of an image', () => {
    const point = { width: 10, height: 20, x: 0, y: 3 }
    const asked: RequestedPosition = {
      ...shas,
      position_type: 'image',
      new_path: 'b.txt',
      ...point,
    }
    const { position, line } = positionNote(asked, file)
    expect(line).toBeNull()
    expect(position).toMatchObject({ position_type: 'image', old_path: 'a.txt', ...point })
  })
})
