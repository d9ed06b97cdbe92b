import type { Git, Repository } from '../git.ts'
import { isOid, readObject } from '../reading/object-reader.ts'

const headerEnd = Buffer.from('\n\n')

/** The signature of a commit, armor included; undefined if it is unsigned. */
export async function readCommitSignature(
  git: Git,
  repository: Repository,
  oid: string,
): Promise<string | undefined> {
  const object = isOid(oid) ? await readObject(git, repository, oid) : undefined
  if (object?.type !== 'commit') return undefined
  const end = object.content.indexOf(headerEnd)
  const head = object.content.toString('latin1', 0, end < 0 ? object.content.length : end)
  // Continuation lines of a header start with a space.
  const [, signature] = /^gpgsig (.*(?:\n .*)*)/m.exec(head) ?? []
  return signature?.replace(/\n /g, '\n')
}
