/**
 * Cuts the longest of some texts at ends of lines, so that all of them together have at most as many characters as
 * allowed.
 */
export function cutTexts(texts: readonly string[], allowed: number): string[] {
  const longest = longestAllowed(
    texts.map(({ length }) => length),
    allowed,
  )
  return texts.map((text) => cutText(text, longest))
}

/**
 * What a text may have at most: the shorter ones leave what they don't use to the others.
 * @param lengths of the texts
 */
export function longestAllowed(lengths: readonly number[], allowed: number): number {
  const sorted = lengths.toSorted((one, other) => one - other)
  let left = allowed
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index))
    if (length > share) return share
    left -= length
  }
  return Number.POSITIVE_INFINITY
}

/** The beginning of a text, cut at the end of a line if that leaves half of it. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const end = text.lastIndexOf('\n', length)
  // A line that takes most of the text is cut within.
  const cut = text.slice(0, end > length / 2 ? end : length)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
