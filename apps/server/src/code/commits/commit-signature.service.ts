import { notFound } from '@stithy/core'
import { readCommitSignature } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import type { SourceRepository } from '../revisions/revision.service.ts'
import { requireCommit } from './commit.service.ts'

/**
 * The id of the key that made a commit's OpenPGP signature: sixteen hexadecimal digits, upper case.
 * @throws DomainError `not_found` for an unknown commit, and for one without an OpenPGP signature.
 */
export async function requireSignature(
  app: App,
  project: SourceRepository,
  sha: string,
): Promise<string> {
  const { oid } = await requireCommit(app, project, sha)
  const armored = await readCommitSignature(app.git, repositoryOf(app, project), oid)
  const keyId = armored === undefined ? undefined : await issuerOf(armored)
  if (keyId === undefined) throw notFound('GPG Signature')
  return keyId
}

/**
 * The issuer of a signature; undefined if it is of another kind (SSH, X.509) or cannot be parsed.
 */
async function issuerOf(armored: string): Promise<string | undefined> {
  if (!armored.startsWith('-----BEGIN PGP ')) return undefined
  // Signatures are requested rarely, and the library is slow to load.
  const { readSignature } = await import('openpgp')
  try {
    const { packets } = await readSignature({ armoredSignature: armored })
    const keyId = packets[0]?.issuerKeyID.toHex().toUpperCase()
    return keyId === undefined || /^0*$/.test(keyId) ? undefined : keyId
  } catch {
    return undefined
  }
}
