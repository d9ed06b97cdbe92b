import { parsePathOrId } from '@stithy/core'
import { findRedirect, type Queries } from '@stithy/store'

/** What was moved again and again is followed as often. */
const maxMoves = 5

/** Groups are at most twenty deep, and a project is in the last one. */
const maxParts = 21

/**
 * Follows the paths that projects, groups and users had before. One query, and one for each move.
 * @param path a full path, and what may follow it in an address
 * @returns the path now; undefined if nothing that exists was moved from it, or something is there
 */
export async function followRedirects(db: Queries, path: string): Promise<string | undefined> {
  const key = parsePathOrId(path)
  if (key === undefined || 'id' in key) return undefined
  let followed = path
  for (let move = 0; move < maxMoves; move += 1) {
    const redirect = await findRedirect(db, { paths: beginnings(followed.toLowerCase()) })
    if (redirect === undefined) break
    followed = redirect.fullPath + followed.slice(redirect.path.length)
  }
  return followed === path ? undefined : followed
}

/** `a`, `a/b` and `a/b/c` of `a/b/c`. */
function beginnings(path: string): string[] {
  const parts = path.split('/', maxParts)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}
