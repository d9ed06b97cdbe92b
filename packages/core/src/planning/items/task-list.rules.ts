import { codeLineReader } from '../references/code-lines.rules.ts'

/** Blockquote markers, a list marker, and a checkbox with text after it. */
export const taskLine = /^(?:\s{0,3}>)*\s*(?:[-+*]|\d{1,9}\.)\s+\[([ xX])\]\s+\S/

/**
 * Counts the tasks in a description: list items that start with `[ ]`, or `[x]` when done. Code
 * blocks, fenced or indented, are ignored.
 */
export function taskCompletion(text: string): { count: number; completed_count: number } {
  const totals = { count: 0, completed_count: 0 }
  // Most descriptions have no checkbox and need no parsing.
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
