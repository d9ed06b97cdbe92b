/** Where a signature of a tag begins: behind the message, in the same text. */
const signature = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----$/m

/** What the author of an annotated tag wrote: without a signature and the line breaks at the end. */
export function tagMessage(text: string): string {
  const start = text.search(signature)
  return (start === -1 ? text : text.slice(0, start)).trimEnd()
}

/**
 * The name that stands in the way of a new tag, since git keeps names like paths: `v1/a` cannot be
 * beside `v1`. Undefined when there is none.
 */
export function clashingName(name: string, existing: Iterable<string>): string | undefined {
  for (const other of existing) {
    if (other.startsWith(`${name}/`) || name.startsWith(`${other}/`)) return other
  }
  return undefined
}
