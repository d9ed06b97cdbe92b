/** The first eight characters of a hash. */
export function shortId(oid: string): string {
  return oid.slice(0, 8)
}
