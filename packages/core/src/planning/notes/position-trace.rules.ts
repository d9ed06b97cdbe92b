import type { DiffLine } from './diff-line.rules.ts'
import {
  type Hunk,
  mapLine,
  mapLineBack,
  newNumberOfRemoved,
  oldNumberOfAdded,
} from './line-mapping.rules.ts'
import type { ImagePosition, NotePosition, TextPosition } from './note.schema.ts'
import type { DiffRefs } from './position.rules.ts'

/** A file that differs between two commits. */
export interface FileChange {
  oldPath: string
  newPath: string
  /** Undefined if its lines can't be compared. */
  hunks: readonly Hunk[] | undefined
}

/** The files that differ between two commits; other files are the same in both. */
export interface FileChanges {
  /** The change of a file, by its path in the first commit. */
  byOldPath(path: string): FileChange | undefined
  /** The change of a file, by its path in the second commit. */
  byNewPath(path: string): FileChange | undefined
}

/** How the diff between a base and a head differs from an earlier one. */
export interface DiffUpdate {
  /** From the previous base to the new one. */
  base: FileChanges
  /** From the previous head to the new one. */
  head: FileChanges
  /** From the new base to the new head. */
  diff: FileChanges
}

/** A place in the changes from the previous head to the new one. */
export interface ChangedPlace {
  path: string
  /** Null for the whole file. */
  line: Pick<DiffLine, 'oldLine' | 'newLine'> | null
}

/** Where a position is in a later diff. */
export type TracedPosition =
  | {
      outdated: false
      position: NotePosition
      line: Pick<DiffLine, 'oldLine' | 'newLine'> | null
    }
  | {
      outdated: true
      /** What changed it, if that was a change of the head. */
      changedBy: ChangedPlace | undefined
    }

const gone = { outdated: true, changedBy: undefined } as const

/**
 * Finds the line of a position in a later diff. It is outdated if the line was changed, or if its
 * file is not in the later diff; a line that the target branch got meanwhile turns from an added one
 * into an unchanged one.
 * @param refs of the later diff
 */
export function tracePosition(
  position: NotePosition,
  refs: DiffRefs,
  update: DiffUpdate,
): TracedPosition {
  if (position.position_type === 'image') return traceImage(position, refs, update)
  if (position.old_line === null) return traceAdded(position, refs, update)
  if (position.new_line === null) return traceRemoved(position, refs, update)
  return traceUnchanged(position, refs, update)
}

function traceAdded(position: TextPosition, refs: DiffRefs, update: DiffUpdate): TracedPosition {
  const line = position.new_line ?? 0
  const head = follow(update.head, position.new_path, line)
  if (head === undefined) return changed(update, position.new_path, line)
  const file = update.diff.byNewPath(head.path)
  if (file?.hunks === undefined) return gone
  const oldLine = mapLineBack(file.hunks, head.line)
  if (oldLine !== undefined) return unchangedAt(position, refs, file, oldLine, head.line)
  return {
    outdated: false,
    position: place(position, refs, file, null, head.line),
    line: { oldLine: oldNumberOfAdded(file.hunks, head.line), newLine: head.line },
  }
}

function traceRemoved(position: TextPosition, refs: DiffRefs, update: DiffUpdate): TracedPosition {
  const base = follow(update.base, position.old_path, position.old_line ?? 0)
  if (base === undefined) return gone
  const file = update.diff.byOldPath(base.path)
  if (file?.hunks === undefined) return gone
  // The head has the line again.
  if (mapLine(file.hunks, base.line) !== undefined) return gone
  return {
    outdated: false,
    position: place(position, refs, file, base.line, null),
    line: { oldLine: base.line, newLine: newNumberOfRemoved(file.hunks, base.line) },
  }
}

function traceUnchanged(
  position: TextPosition,
  refs: DiffRefs,
  update: DiffUpdate,
): TracedPosition {
  const line = position.new_line ?? 0
  const head = follow(update.head, position.new_path, line)
  if (head === undefined) return changed(update, position.new_path, line)
  const base = follow(update.base, position.old_path, position.old_line ?? 0)
  if (base === undefined) return gone
  const file = update.diff.byNewPath(head.path)
  if (file?.hunks === undefined || file.oldPath !== base.path) return gone
  if (mapLine(file.hunks, base.line) !== head.line) return gone
  return unchangedAt(position, refs, file, base.line, head.line)
}

/** An image is outdated with any change of its file. */
function traceImage(position: ImagePosition, refs: DiffRefs, update: DiffUpdate): TracedPosition {
  const changedFile = update.head.byOldPath(position.new_path)
  if (changedFile !== undefined) {
    return { outdated: true, changedBy: { path: changedFile.newPath, line: null } }
  }
  const file = update.diff.byNewPath(position.new_path)
  if (file === undefined) return gone
  return { outdated: false, position: { ...position, ...common(refs, file) }, line: null }
}

/** A line that both sides of the later diff have, also where the diff does not show it. */
function unchangedAt(
  position: TextPosition,
  refs: DiffRefs,
  file: FileChange,
  oldLine: number,
  newLine: number,
): TracedPosition {
  return {
    outdated: false,
    position: place(position, refs, file, oldLine, newLine),
    line: { oldLine, newLine },
  }
}

function place(
  position: TextPosition,
  refs: DiffRefs,
  file: FileChange,
  oldLine: number | null,
  newLine: number | null,
): TextPosition {
  return { ...position, ...common(refs, file), old_line: oldLine, new_line: newLine }
}

function common({ baseSha, startSha, headSha }: DiffRefs, { oldPath, newPath }: FileChange) {
  return {
    base_sha: baseSha,
    start_sha: startSha,
    head_sha: headSha,
    old_path: oldPath,
    new_path: newPath,
  }
}

/** Finds a line in the second of two commits. */
function follow(
  changes: FileChanges,
  path: string,
  line: number,
): { path: string; line: number } | undefined {
  const file = changes.byOldPath(path)
  if (file === undefined) return { path, line }
  const found = file.hunks && mapLine(file.hunks, line)
  return found === undefined ? undefined : { path: file.newPath, line: found }
}

/** Outdated by a change of the line in the head. */
function changed({ head }: DiffUpdate, path: string, oldLine: number): TracedPosition {
  const file = head.byOldPath(path)
  if (file === undefined) return gone
  const line = file.hunks && { oldLine, newLine: newNumberOfRemoved(file.hunks, oldLine) }
  return { outdated: true, changedBy: { path: file.newPath, line: line ?? null } }
}
