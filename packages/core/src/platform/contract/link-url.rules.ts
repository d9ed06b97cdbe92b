import { tooLong } from '../text/length.rules.ts'
import { maxUrlLength } from './text-options.ts'

/**
 * What is wrong with the URL of a link that others will follow; undefined if nothing is. It needs
 * one of `schemes`, and no password, which would be public.
 */
export function linkUrlError(text: string, schemes: readonly string[]): string | undefined {
  // In bytes: both databases index full URLs.
  if (new TextEncoder().encode(text).length > maxUrlLength) return tooLong(maxUrlLength)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && !schemes.includes(url.protocol.slice(0, -1))) {
    return `is blocked: only ${sentence(schemes)} are allowed`
  }
  // Parsers tolerate white space or a missing slash, which other software may parse differently.
  const isPlain = /^[a-z]+:\/\/[^/]/i.test(text) && !/[\s\p{Cc}\\]/u.test(text)
  if (url === undefined || !isPlain) return 'must be a valid URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  return undefined
}

/** `http, https and ftp` */
function sentence(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
