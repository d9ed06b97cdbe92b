import { notFound } from '@stithy/core'
import { readCommitSignature } from '@stithy/git'
import type { App } from '../app.ts'
import { type CodePlace, repositoryOf } from '../repositories/repository.service.ts'
import { requireCommit } from './commit.service.ts'

/**
 * The key that made the OpenPGP signature of a commit: sixteen hexadecimal digits, in capitals.
 * @throws DomainError `not_found` for an unknown commit, and for one that is not signed, or not so.
 */
export async function requireSignature(app: App, place: CodePlace, sha: string): Promise<string> {
  const { oid } = await requireCommit(app, place, sha)
  const armored = await readCommitSignature(app.git, repositoryOf(app, place), oid)
  const keyId = armored === undefined ? undefined : await issuerOf(armored)
  if (keyId === undefined) throw notFound('GPG Signature')
  return keyId
}

/** Who made a signature; undefined where it is of another kind (SSH, X.509) or cannot be read. */
async function issuerOf(armored: string): Promise<string | undefined> {
  if (!armored.startsWith('-----BEGIN PGP ')) return undefined
  // Few ask for signatures, and the library takes its time to load.
  const { readSignature } = await import('openpgp')
  try {
    const { packets } = await readSignature({ armoredSignature: armored })
    const keyId = packets[0]?.issuerKeyID.toHex().toUpperCase()
    return keyId === undefined || /^0*$/.test(keyId) ? undefined : keyId
  } catch {
    return undefined
  }
}
