/**
 * Patterns of URLs (RFC 3986) that every parser takes, for JSON schema: they are narrower than what
 * `URL` accepts, such as domains that end in a number or characters that must be percent-encoded.
 */

const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const ipv4 = String.raw`(?:${octet}\.){3}${octet}`

/** 16 bits of an IPv6 address (RFC 4291, section 2.2). */
const group = '[0-9A-Fa-f]{1,4}'

/** `count` groups, or up to as many from `least` on. */
function groups(count: number, least = count): string {
  return `${group}(?::${group}){${least - 1},${count - 1}}`
}

/** `::` stands for at least one of the eight groups. */
const shortened = Array.from({ length: 8 }, (_, before) => {
  const start = before === 0 ? '' : groups(before)
  return before === 7 ? `${start}::` : `${start}::(?:${groups(7 - before, 1)})?`
})
const ipv6 = String.raw`\[(?:${[groups(8), ...shortened].join('|')})\]`

/** Its last label starts with a letter: what ends in a number is read as an IPv4 address. */
const domain = String.raw`(?:[A-Za-z0-9_-]+\.)*[A-Za-z][A-Za-z0-9_-]*\.?`

const host = `(?:${domain}|${ipv4}|${ipv6})`
const port = String.raw`:(?:[0-5]?\d{1,4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])`

/** Printable ASCII but for the backslash, which browsers take for a slash. */
const rest = String.raw`[/?#][!-\[\]-~]*`

/** The pattern of URLs with one of these schemes and a host, and without a user name and password. */
export function linkPattern(schemes: readonly string[]): string {
  return `^(?:${schemes.join('|')})://${host}(?:${port})?(?:${rest})?$`
}

const credentials = String.raw`[!"$-.0->A-\[\]-~]*@`

/** A host and a port, with or without a user name and password. */
export const webAuthority = `(?:${credentials})?${host}(?:${port})?`

/** The pattern of URLs of the web, with or without a user name and password. */
export const webUrlPattern = `^https?://${webAuthority}(?:${rest})?$`
