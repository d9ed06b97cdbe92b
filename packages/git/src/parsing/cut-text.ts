const ellipsis = '…'

/**
 * The start of a text, ending in an ellipsis, of at most `maxLength` UTF-16 code units; a shorter
 * text unchanged. Never splits a character.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const end = maxLength - ellipsis.length
  const splits = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800
  return text.slice(0, splits ? end - 1 : end) + ellipsis
}
