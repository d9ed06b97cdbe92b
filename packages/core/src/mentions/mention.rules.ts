import type { Reference } from '../references/reference.schema.ts'

/** Names of users and paths of groups in lower case, each once, in the order in which they stand first. */
export interface NamedPeople {
  /** Those at the start of the text or of a line, before any other word: `@ann, @bob: please look`. */
  addressed: string[]
  /** All others. */
  mentioned: string[]
}

/**
 * Who is named in a text, and who of them is directly addressed, which wins (catalogue: planning, 5).
 * `references` are those of the text, in their order. Takes time in proportion to the text.
 */
export function namedPeople(text: string, references: readonly Reference[]): NamedPeople {
  const addressed = new Set<string>()
  const all = new Set<string>()
  let from = 0
  let addressing = true
  for (const reference of references) {
    addressing = goesOn(text.slice(from, reference.start), addressing) && reference.kind === 'user'
    from = reference.end
    if (reference.kind !== 'user') continue
    const name = reference.name.toLowerCase()
    all.add(name)
    if (addressing) addressed.add(name)
  }
  return { addressed: [...addressed], mentioned: [...all].filter((name) => !addressed.has(name)) }
}

/** Whether what follows a gap is at the start of a line, or in a row of names that is. */
function goesOn(gap: string, addressing: boolean): boolean {
  const line = Math.max(gap.lastIndexOf('\n'), gap.lastIndexOf('\r')) + 1
  return (line > 0 || addressing) && /^[\s,]*$/.test(gap.slice(line))
}
