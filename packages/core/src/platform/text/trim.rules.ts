/** Removes leading and trailing characters that are in `characters`, in linear time. */
export function trimCharacters(text: string, characters: string): string {
  let start = 0
  while (start < text.length && characters.includes(text.charAt(start))) start += 1
  return trimEndCharacters(text.slice(start), characters)
}

/** Removes trailing characters that are in `characters`, in linear time. */
export function trimEndCharacters(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** Splits a text at its first run of blanks or tabs; the second part is trimmed. */
export function splitFirstWord(text: string): [word: string, rest: string] {
  const end = text.search(/[ \t]/)
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end).trim()]
}
