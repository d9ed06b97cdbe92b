import type { Git, Repository } from '../git.ts'
import { isOid, objectInfo, readObject } from '../reading/object-reader.ts'

const headerEnd = Buffer.from('\n\n')

/** Signatures take a few kilobytes, and the commits that people sign not much more. */
const maxSignatureLength = 64 * 1024
const maxSignedBytes = 1024 * 1024

/** The signature of a commit. */
export interface CommitSignature {
  /** Armor included. */
  armored: string
  /** What is signed: the commit without its signatures. */
  payload: Buffer
}

/**
 * The signature of a commit; undefined if it is unsigned, the commit has over 1 MiB or the signature
 * over 64 KiB.
 */
export async function readCommitSignature(
  git: Git,
  repository: Repository,
  oid: string,
): Promise<CommitSignature | undefined> {
  const info = isOid(oid) ? await objectInfo(git, repository, oid) : undefined
  if (info?.type !== 'commit' || info.size > maxSignedBytes) return undefined
  const object = await readObject(git, repository, oid)
  if (!object) return undefined
  const { content } = object
  const found = content.indexOf(headerEnd)
  const end = found < 0 ? content.length : found
  const head = content.toString('latin1', 0, end)
  // Continuation lines of a header start with a space.
  const [, signature] = /^gpgsig (.*(?:\n .*)*)/m.exec(head) ?? []
  if (signature === undefined || signature.length > maxSignatureLength) return undefined
  const unsigned = Buffer.from(withoutSignatures(head), 'latin1')
  return {
    armored: signature.replace(/\n /g, '\n'),
    payload: Buffer.concat([unsigned, content.subarray(end)]),
  }
}

/** Git signs a commit before it has any signature, also one for another hash function. */
function withoutSignatures(head: string): string {
  let isSignature = false
  const lines = head.split('\n').filter((line) => {
    if (!line.startsWith(' ')) isSignature = /^gpgsig(?:-sha256)? /.test(line)
    return !isSignature
  })
  return lines.join('\n')
}
