import { hash } from 'node:crypto'
import type { DiffEntry } from '@stithy/core'
import type { DiffLine, LineKind } from './hunks.ts'

/** A line of a diff, as comments on it name it. */
export interface DiffPlace {
  oldPath: string
  newPath: string
  kind: LineKind
  /** Null on the side that doesn't have the line. */
  oldLine: number | null
  newLine: number | null
  /** The id of the line in the page, as v4 clients know it: `<SHA-1 of the path>_10_12`. */
  code: string
}

/** The id of a file in a page, as in the addresses that v4 servers give. */
export function fileAnchor({ new_path: path }: Pick<DiffEntry, 'new_path'>): string {
  return hash('sha1', path, 'hex')
}

export function placeOf(entry: DiffEntry, anchor: string, line: DiffLine): DiffPlace {
  return {
    oldPath: entry.old_path,
    newPath: entry.new_path,
    kind: line.kind,
    oldLine: line.oldLine,
    newLine: line.newLine,
    code: `${anchor}_${line.position.old}_${line.position.new}`,
  }
}

/** Whether git says no more than that the contents differ. */
export function isBinary({ diff }: Pick<DiffEntry, 'diff'>): boolean {
  return diff.startsWith('Binary files ')
}

/** Modes that changed, `100644 → 100755`; undefined if they didn't. */
export function modeChange(entry: DiffEntry): string | undefined {
  const { a_mode: before, b_mode: after, new_file: isNew, deleted_file: isDeleted } = entry
  if (isNew || isDeleted || before === null || before === after) return undefined
  return `${before} → ${after}`
}
