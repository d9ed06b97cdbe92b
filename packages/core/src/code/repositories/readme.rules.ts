/** What the name of every README starts with, in lower case. */
export const readmePrefix = 'readme'

const readme = /^readme(?:\.(?:md|markdown|mdown|mkd|adoc|asciidoc|rst|org|textile|rdoc|txt))?$/i

/** Picks the README among the files of the root: Markdown before other formats; null for none. */
export function findReadme(names: readonly string[]): string | null {
  const found = names.filter((name) => readme.test(name)).sort()
  return found.find((name) => /\.(?:md|markdown|mdown|mkd)$/i.test(name)) ?? found[0] ?? null
}
