/** Maximum length of the names of stored files, in characters; at most 240 bytes in UTF-8. */
const maxLength = 60

const separators = /^.*[\\/]/s

/**
 * Strips directories from the name of an uploaded file, and replaces everything but letters,
 * digits, `.`, `-`, `+` and `_`, so that it needs no escaping in Markdown.
 */
export function uploadFilename(filename: string): string {
  const base = filename.slice(-1000).toWellFormed().normalize('NFC').replace(separators, '')
  const tidy = base.replace(/[^\p{L}\p{M}\p{N}._+-]+/gu, '_')
  const kept = Array.from(tidy).slice(-maxLength).join('').replace(/^\.+/, '')
  return kept === '' ? 'file' : kept
}
