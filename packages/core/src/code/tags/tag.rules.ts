/** Start of a tag's signature, which follows the message in the same text. */
const signature = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----$/m

/** The message of an annotated tag, without signature and trailing line breaks. */
export function tagMessage(text: string): string {
  const start = text.search(signature)
  return (start === -1 ? text : text.slice(0, start)).trimEnd()
}

/**
 * Finds the existing name that conflicts with a new tag, since git stores names like paths: `v1/a`
 * and `v1` exclude each other. Undefined without a conflict.
 */
export function conflictingName(name: string, existing: Iterable<string>): string | undefined {
  for (const other of existing) {
    if (other.startsWith(`${name}/`) || name.startsWith(`${other}/`)) return other
  }
  return undefined
}
