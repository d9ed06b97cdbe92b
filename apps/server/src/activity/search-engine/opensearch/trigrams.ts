/** More trigrams hardly exclude more, and each is read from the index. */
const maxTrigrams = 64

/**
 * The distinct trigrams of a text, by code points, or up to 64 of them at even distances; none if
 * it has less than three characters.
 */
export function trigramsOf(text: string): string[] {
  const characters = [...text]
  const count = characters.length - 2
  const step = Math.max(1, Math.ceil(count / maxTrigrams))
  const trigrams = new Set<string>()
  for (let at = 0; at < count; at += step) {
    trigrams.add(characters.slice(at, at + 3).join(''))
  }
  return [...trigrams]
}
