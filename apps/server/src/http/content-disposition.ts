/**
 * The header that names what is downloaded (RFC 6266): in quotes where the name can stand there as it
 * is, else percent-encoded, which bears every name.
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
