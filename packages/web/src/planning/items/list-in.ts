/** Titles with commas between them. */
export function listIn(text: string): string[] {
  const titles = text.split(',').map((title) => title.trim())
  return titles.filter((title) => title !== '')
}
