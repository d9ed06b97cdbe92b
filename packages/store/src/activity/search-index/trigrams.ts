/** More trigrams hardly exclude more, and each is read from the index. */
const maxTrigrams = 64

/**
 * The full-text query of SQLite for texts that have all trigrams of `text`, or up to 64 of them at
 * even distances; undefined if it has less than three characters.
 */
export function trigramQuery(text: string): string | undefined {
  const characters = [...text]
  const count = characters.length - 2
  if (count < 1) return undefined
  const step = Math.max(1, Math.ceil(count / maxTrigrams))
  const trigrams = new Set<string>()
  for (let at = 0; at < count; at += step) {
    trigrams.add(characters.slice(at, at + 3).join(''))
  }
  return [...trigrams].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
}
