import type { Git, Repository } from '../git.ts'
import { isOid, readObject } from '../reading/object-reader.ts'

const headerEnd = Buffer.from('\n\n')

/** The signature of a commit as it was attached, armour included; undefined where there is none. */
export async function readCommitSignature(
  git: Git,
  repository: Repository,
  oid: string,
): Promise<string | undefined> {
  const object = isOid(oid) ? await readObject(git, repository, oid) : undefined
  if (object?.type !== 'commit') return undefined
  const end = object.content.indexOf(headerEnd)
  const head = object.content.toString('latin1', 0, end < 0 ? object.content.length : end)
  // Lines that continue a header begin with a space.
  const [, signature] = /^gpgsig (.*(?:\n .*)*)/m.exec(head) ?? []
  return signature?.replace(/\n /g, '\n')
}
