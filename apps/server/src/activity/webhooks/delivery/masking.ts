import type { IncomingHttpHeaders } from 'node:http'

const mask = '[REDACTED]'

/** Headers whose values are secrets of the sender or the receiver. */
const secretNames: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'set-cookie',
  'x-gitlab-token',
  'x-stithy-token',
])

/** Characters of a header's value that are kept. */
const maxValueLength = 1024
/** Headers that are kept. */
const maxHeaders = 50

/** Headers for the log, without the values of secrets. */
export function maskedHeaders(
  headers: IncomingHttpHeaders | Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = Object.entries(headers).slice(0, maxHeaders)
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const text = Array.isArray(value) ? value.join(', ') : (value ?? '')
      const isSecret = secretNames.has(name.toLowerCase())
      return [name, isSecret ? mask : text.slice(0, maxValueLength).toWellFormed()]
    }),
  )
}

/** A URL for the log, without its user name and password. */
export function maskedUrl(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null || (parsed.username === '' && parsed.password === '')) return url
  parsed.username = ''
  parsed.password = ''
  return parsed.href.replace('//', '//*****:*****@')
}
