import { type CommitSignature, notFound } from '@stithy/core'
import { type Commit, readCommitSignature } from '@stithy/git'
import {
  findSigningKeys,
  fromJsonText,
  listConfirmedEmails,
  type SigningKeyRow,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { isSignedByKey, readSignatureIssuer } from '../../platform/openpgp/openpgp.ts'
import type { KeyUserId, SignedBytes } from '../../platform/openpgp/openpgp-messages.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import type { SourceRepository } from '../revisions/revision.service.ts'
import { requireCommit } from './commit.service.ts'
import { type KeyOfSignature, presentSignature } from './commit-signature.presenter.ts'

type Status = CommitSignature['verification_status']

/** The most keys with one ID that are tried: any further ones were made on purpose. */
const maxKeys = 5

/**
 * Verifies the OpenPGP signature of a commit with the keys of users.
 * @throws DomainError `not_found` for an unknown commit, and for one without an OpenPGP signature;
 *   `unavailable`
 */
export async function verifyCommit(
  app: App,
  project: SourceRepository,
  sha: string,
): Promise<CommitSignature> {
  const commit = await requireCommit(app, project, sha)
  const signed = await readCommitSignature(app.git, repositoryOf(app, project), commit.oid)
  // Others are of another kind: SSH, X.509.
  const isOpenPgp = signed?.armored.startsWith('-----BEGIN PGP ')
  const issuer = signed && isOpenPgp ? await readSignatureIssuer(signed.armored) : undefined
  if (signed === undefined || issuer === undefined) throw notFound('GPG Signature')
  const bytes = { armoredSignature: signed.armored, payload: signed.payload }
  const candidates = await findSigningKeys(app.db, { keyId: issuer, limit: maxKeys })
  const { key, isValid } = await chooseKey(bytes, candidates)
  if (key === undefined) return presentSignature({ issuer, status: 'unknown_key' })
  const { status, userId } = await judge(app, commit, key, isValid)
  return presentSignature({ issuer, status, key: keyOf(key, userId) })
}

/** The key that made the signature, else the first with its ID. */
async function chooseKey(
  signed: SignedBytes,
  candidates: readonly SigningKeyRow[],
): Promise<{ key: SigningKeyRow | undefined; isValid: boolean }> {
  for (const key of candidates) {
    if (await isSignedByKey(signed, key.key)) return { key, isValid: true }
  }
  return { key: candidates[0], isValid: false }
}

/** The status of a signature, and the user ID of the key that is shown. */
async function judge(
  app: App,
  { committer }: Commit,
  key: SigningKeyRow,
  isValid: boolean,
): Promise<{ status: Status; userId: KeyUserId | undefined }> {
  const userIds = fromJsonText<KeyUserId[]>(key.userIds)
  const own = new Set(await listConfirmedEmails(app.db, key.userId))
  const verified = userIds.filter(({ email }) => own.has(email.toLowerCase()))
  const userId = verified[0] ?? userIds[0]
  if (verified.length === 0) return { status: 'unverified_key', userId }
  if (!isValid) return { status: 'unverified', userId }
  const email = committer.email.toLowerCase()
  const matching = verified.find((each) => each.email.toLowerCase() === email)
  if (matching !== undefined) return { status: 'verified', userId: matching }
  return { status: own.has(email) ? 'same_user_different_email' : 'other_user', userId }
}

function keyOf({ id, keyId, subkeyId }: SigningKeyRow, userId?: KeyUserId): KeyOfSignature {
  return { id, keyId, subkeyId, name: userId?.name ?? null, email: userId?.email ?? null }
}
