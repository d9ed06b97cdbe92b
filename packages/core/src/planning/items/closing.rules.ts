import { scanReferences } from '../references/reference.rules.ts'
import type { Reference } from '../references/reference.schema.ts'
import { withoutCode } from '../references/without-code.rules.ts'

type ItemKind = 'issue' | 'merge_request' | 'snippet' | 'epic'

/** A reference to an issue that a text closes. */
export type ClosingReference = Extract<Reference, { kind: ItemKind }> & { kind: 'issue' }

const keyword =
  /(?<![\p{L}\p{M}\p{N}_])(?:[Cc]los(?:e[sd]?|ing)|[Ff]ix(?:e[sd]|ing)?|[Rr]esolv(?:e[sd]?|ing)|[Ii]mplement(?:s|ed|ing)?):?[ \t]+/gu
const noun = /issues?[ \t]+/iy
/** An issue key of another tracker; it does not end a list. */
const externalIssueKey = /[A-Z][A-Z0-9_]{0,99}-\d+(?![\p{L}\p{N}_])/uy
const separator = /[ \t]+and[ \t]+|[ \t]*,[ \t]*(?:and[ \t]+)?|[ \t]+/y

/**
 * The issues that a commit message, or the text of a merge request, closes: references that follow
 * a closing keyword, up to the end of the list; without duplicates, in order of appearance. Code is
 * ignored.
 */
export function closingReferences(
  text: string,
  options: { webUrl?: string } = {},
): ClosingReference[] {
  const readable = withoutCode(text)
  if (readable.search(keyword) === -1) return []
  const issues = new Map<number, ClosingReference>()
  for (const found of scanReferences(text, options)) {
    if (isIssue(found)) issues.set(found.start, found)
  }
  const closing: ClosingReference[] = []
  let from = 0
  for (const { index, 0: word } of readable.matchAll(keyword)) {
    if (index < from) continue
    from = readList(readable, index + word.length, issues, closing)
  }
  return closing
}

function isIssue(reference: Reference): reference is ClosingReference {
  return reference.kind === 'issue'
}

/** Reads a list of references from `start`; returns where it ends. */
function readList(
  text: string,
  start: number,
  issues: ReadonlyMap<number, ClosingReference>,
  closing: ClosingReference[],
): number {
  let end = start
  for (let at = start; ; ) {
    at = endOf(noun, text, at) ?? at
    const issue = issues.get(at)
    const next = issue?.end ?? endOf(externalIssueKey, text, at)
    if (next === undefined) return end
    if (issue !== undefined) closing.push(issue)
    end = next
    const resumed = endOf(separator, text, next)
    if (resumed === undefined) return end
    at = resumed
  }
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
