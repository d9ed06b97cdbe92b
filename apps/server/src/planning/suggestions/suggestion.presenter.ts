import { changesLines, type Suggestion, suggestedRange } from '@stithy/core'
import type { SuggestionRow } from '@stithy/store'

/** What a suggestion is shown with. */
export interface SuggestionContext {
  /** The line that its note is on. */
  line: number
  /** Whether its merge request is open. */
  isOpen: boolean
}

export function presentSuggestion(
  row: SuggestionRow,
  { line, isOpen }: SuggestionContext,
): Suggestion {
  const { from, to } = suggestedRange(line, row)
  return {
    id: row.id,
    from_line: from,
    to_line: to,
    appliable: isOpen && isAppliable(row),
    applied: row.commitId !== null,
    from_content: row.fromContent,
    to_content: row.toContent,
  }
}

/** Whether an open merge request can take it: not applied yet, not outdated, and a change. */
export function isAppliable(row: SuggestionRow): boolean {
  const { commitId, outdated, fromContent, toContent } = row
  return commitId === null && outdated === 0 && changesLines(fromContent, toContent)
}
