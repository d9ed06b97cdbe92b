import { type Git, type ObjectInfo, objectInfo, type Repository } from '@stithy/git'

/** A full or abbreviated object id. */
const digits = /^[0-9a-f]{4,40}$/

/** Finds the object of a full or unambiguous abbreviated id; no branch is meant. */
export async function findByHash(
  git: Git,
  repository: Repository,
  hash: string,
): Promise<ObjectInfo | undefined> {
  const name = hash.toLowerCase()
  const info = digits.test(name) ? await objectInfo(git, repository, name) : undefined
  // Git prefers a branch of that name to an abbreviated id.
  return info?.oid.startsWith(name) ? info : undefined
}
