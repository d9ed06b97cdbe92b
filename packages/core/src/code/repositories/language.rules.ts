/** The share of each language in the total bytes: per cent with two decimals, largest first. */
export function languageShares(sizes: ReadonlyMap<string, number>): Record<string, number> {
  const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
  const ranked = [...sizes].toSorted(([one, few], [other, many]) =>
    few === many ? (one < other ? -1 : 1) : many - few,
  )
  return Object.fromEntries(
    ranked.map(([language, bytes]) => [language, Math.round((10_000 * bytes) / total) / 100]),
  )
}
