const escapes: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }

/** Unquotes a path as git quotes it: `"tab\there"`; a path without quotes is returned unchanged. */
export function unquotePath(path: string): string {
  if (!path.startsWith('"') || !path.endsWith('"')) return path
  const bytes: Buffer[] = []
  for (const [part, octal, letter] of path.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gs)) {
    if (octal) bytes.push(Buffer.from([Number.parseInt(octal, 8)]))
    else if (letter) bytes.push(Buffer.from([escapes[letter] ?? letter.charCodeAt(0)]))
    else bytes.push(Buffer.from(part))
  }
  return Buffer.concat(bytes).toString('utf8')
}
