import type { Git, Repository } from '../git.ts'
import { isOid, objectInfo, readObject } from '../reading/object-reader.ts'

const headerEnd = Buffer.from('\n\n')

/** Signatures take a few kilobytes, and the commits that people sign not much more. */
const maxSignatureLength = 64 * 1024
const maxSignedBytes = 1024 * 1024

/**
 * The signature of a commit, armor included; undefined if it is unsigned, the commit has over 1 MiB
 * or the signature over 64 KiB.
 */
export async function readCommitSignature(
  git: Git,
  repository: Repository,
  oid: string,
): Promise<string | undefined> {
  const info = isOid(oid) ? await objectInfo(git, repository, oid) : undefined
  if (info?.type !== 'commit' || info.size > maxSignedBytes) return undefined
  const object = await readObject(git, repository, oid)
  if (!object) return undefined
  const end = object.content.indexOf(headerEnd)
  const head = object.content.toString('latin1', 0, end < 0 ? object.content.length : end)
  // Continuation lines of a header start with a space.
  const [, signature] = /^gpgsig (.*(?:\n .*)*)/m.exec(head) ?? []
  if (signature === undefined || signature.length > maxSignatureLength) return undefined
  return signature.replace(/\n /g, '\n')
}
