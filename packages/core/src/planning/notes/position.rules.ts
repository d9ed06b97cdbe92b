import { type DiffLine, findDiffLine } from './diff-line.rules.ts'
import { invalidNote, noteRefused } from './note.rules.ts'
import type { NotePosition, RequestedPosition } from './note.schema.ts'

/** The commits that a diff compares. */
export interface DiffRefs {
  baseSha: string
  startSha: string
  headSha: string
}

/** What placing a note in a file of a diff requires. */
export interface DiffFile {
  oldPath: string
  newPath: string
  diff: string
}

/** A validated position with its line; an image has none. */
export interface PositionedNote {
  position: NotePosition
  line: DiffLine | null
}

/**
 * The path of a position's file.
 * @throws DomainError `bad_request` when the position lacks a field that its type requires, or
 *   belongs to another diff than `refs`.
 */
export function requirePositionPath(asked: RequestedPosition, refs: DiffRefs): string {
  const path = asked.new_path ?? asked.old_path
  if (path === undefined || !isComplete(asked)) throw noteRefused('position is incomplete')
  const isOfDiff =
    asked.base_sha === refs.baseSha &&
    asked.start_sha === refs.startSha &&
    asked.head_sha === refs.headSha
  if (!isOfDiff) throw invalidNote({ position: ['does not belong to this diff'] })
  return path
}

function isComplete({ position_type: type, ...asked }: RequestedPosition): boolean {
  if (type === 'text') return asked.new_line !== undefined || asked.old_line !== undefined
  const sizes = [asked.width, asked.height, asked.x, asked.y]
  return sizes.every((size) => size !== undefined && size >= 0)
}

/**
 * Places a note in the file found at its path.
 * @throws DomainError `bad_request` when there is no such file, or its diff has no such line.
 */
export function positionNote(asked: RequestedPosition, file: DiffFile | undefined): PositionedNote {
  if (file === undefined || !namesFile(asked, file)) throw noSuchLine()
  const { base_sha, start_sha, head_sha } = asked
  const common = { base_sha, start_sha, head_sha, old_path: file.oldPath, new_path: file.newPath }
  if (asked.position_type === 'image') {
    const { width = 0, height = 0, x = 0, y = 0 } = asked
    return { position: { ...common, position_type: 'image', width, height, x, y }, line: null }
  }
  const { old_line = null, new_line = null } = asked
  const line = findDiffLine(file.diff, { oldLine: old_line, newLine: new_line })
  if (line === undefined) throw noSuchLine()
  return { position: { ...common, position_type: 'text', old_line, new_line }, line }
}

function namesFile(asked: RequestedPosition, file: DiffFile): boolean {
  const { old_path: oldPath = file.oldPath, new_path: newPath = file.newPath } = asked
  return oldPath === file.oldPath && newPath === file.newPath
}

function noSuchLine() {
  return invalidNote({ line_code: ['must name a line of the diff'] })
}
