import type { Reference } from '../references/reference.schema.ts'

/** Usernames and group paths in lower case, without duplicates, in order of first appearance. */
export interface TextMentions {
  /** At the start of the text or of a line, before any other word: `@ann, @bob: please look`. */
  addressed: string[]
  /** All others. */
  mentioned: string[]
}

/**
 * The users and groups that a text mentions; directly addressed ones are not repeated as mentioned.
 * `references` are those of the text, in order. Linear time.
 */
export function findMentions(text: string, references: readonly Reference[]): TextMentions {
  const addressed = new Set<string>()
  const all = new Set<string>()
  let from = 0
  let addressing = true
  for (const reference of references) {
    addressing =
      continuesAddressing(text.slice(from, reference.start), addressing) &&
      reference.kind === 'user'
    from = reference.end
    if (reference.kind !== 'user') continue
    const name = reference.name.toLowerCase()
    all.add(name)
    if (addressing) addressed.add(name)
  }
  return { addressed: [...addressed], mentioned: [...all].filter((name) => !addressed.has(name)) }
}

/** Whether the next reference is at the start of a line, or in a list of names that is. */
function continuesAddressing(gap: string, addressing: boolean): boolean {
  const line = Math.max(gap.lastIndexOf('\n'), gap.lastIndexOf('\r')) + 1
  return (line > 0 || addressing) && /^[\s,]*$/.test(gap.slice(line))
}
