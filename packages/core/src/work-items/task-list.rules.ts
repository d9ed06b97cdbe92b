import { codeLineReader } from '../references/code-lines.rules.ts'

/** Quote marks, then the marker of a list item, then a box with something behind it. */
export const taskLine = /^(?:\s{0,3}>)*\s*(?:[-+*]|\d{1,9}\.)\s+\[([ xX])\]\s+\S/

/**
 * Counts the tasks in a description (catalogue: issues, 6): list items that start with `[ ]`, or `[x]`
 * when done. What stands in blocks of code, fenced or indented, is no task.
 */
export function taskCompletion(text: string): { count: number; completed_count: number } {
  const totals = { count: 0, completed_count: 0 }
  // Most descriptions have no box, and need no second look.
  if (!/\[[ xX]\]/.test(text)) return totals
  const isCode = codeLineReader()
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (isCode(line)) continue
    const box = taskLine.exec(line)?.[1]
    if (box === undefined) continue
    totals.count += 1
    if (box !== ' ') totals.completed_count += 1
  }
  return totals
}
