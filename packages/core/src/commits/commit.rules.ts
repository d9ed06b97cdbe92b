/** The first eight characters of a hash (catalogue: repository, 3). */
export function shortId(oid: string): string {
  return oid.slice(0, 8)
}
