/**
 * Lines of a file that a diff replaces: `oldCount` of them, from `oldStart`, by `newCount`, from
 * `newStart`. Lines are numbered from 1. The start of an empty side is the line that follows it.
 */
export interface Hunk {
  oldStart: number
  oldCount: number
  newStart: number
  newCount: number
}

/**
 * The number in the new file of a line of the old one; undefined if the diff removes it.
 * @param hunks of one file, in order and without context lines
 */
export function mapLine(hunks: readonly Hunk[], oldLine: number): number | undefined {
  const hunk = hunks[lastHunkFrom(hunks, 'oldStart', oldLine)]
  if (hunk === undefined) return oldLine
  const end = hunk.oldStart + hunk.oldCount
  return oldLine < end ? undefined : oldLine - end + hunk.newStart + hunk.newCount
}

/** `mapLine` from the new file to the old one: undefined for a line that the diff adds. */
export function mapLineBack(hunks: readonly Hunk[], newLine: number): number | undefined {
  const hunk = hunks[lastHunkFrom(hunks, 'newStart', newLine)]
  if (hunk === undefined) return newLine
  const end = hunk.newStart + hunk.newCount
  return newLine < end ? undefined : newLine - end + hunk.oldStart + hunk.oldCount
}

/** The old number of the position of an added line, as `DiffLine` has it. */
export function oldNumberOfAdded(hunks: readonly Hunk[], newLine: number): number {
  const hunk = hunks[lastHunkFrom(hunks, 'newStart', newLine)]
  return hunk === undefined ? newLine : hunk.oldStart + hunk.oldCount
}

/** The new number of the position of a removed line, as `DiffLine` has it. */
export function newNumberOfRemoved(hunks: readonly Hunk[], oldLine: number): number {
  return hunks[lastHunkFrom(hunks, 'oldStart', oldLine)]?.newStart ?? oldLine
}

/** The index of the last hunk that starts at or before a line; -1 if there is none. */
function lastHunkFrom(hunks: readonly Hunk[], side: 'oldStart' | 'newStart', line: number): number {
  let [low, high] = [0, hunks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((hunks[middle]?.[side] ?? 0) <= line) low = middle + 1
    else high = middle
  }
  return low - 1
}
