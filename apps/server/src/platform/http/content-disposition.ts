/**
 * Builds a Content-Disposition header (RFC 6266): a filename of printable ASCII without `"`, `\` and
 * `%` is quoted, any other is percent-encoded.
 */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  if (/^[\x20-\x7e]*$/.test(filename) && !/["\\%]/.test(filename)) {
    return `${kind}; filename="${filename}"`
  }
  const encoded = encodeURIComponent(filename).replace(/['()*]/g, escapeChar)
  return `${kind}; filename*=UTF-8''${encoded}`
}

function escapeChar(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`
}
