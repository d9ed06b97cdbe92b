/**
 * A text in lower case, for searches that ignore it. Unlike `toLowerCase` alone, a part of a text
 * becomes a part of what the text becomes: a sigma is the same at the end of a word.
 */
export function foldCase(text: string): string {
  const lower = text.toLowerCase()
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower
}
