import {
  type DeployTokenValues,
  DomainError,
  deployTokenErrors,
  deployTokenExpiry,
  deployTokenUsername,
  isTokenActive,
  validationFailed,
} from '@stithy/core'
import {
  type DeployTokenRow,
  findDeployToken,
  fromJsonText,
  insertDeployToken,
} from '@stithy/store'
import type { App } from '../app.ts'
import { hashSecret, newSecret, sameSecret } from '../authentication/secret.ts'

export interface DeployTokenRequest extends DeployTokenValues {
  projectId: number
  creatorId: number | null
}

/**
 * Makes a deploy token, of which only a hash is kept; `token` is the only place where it stands in clear.
 * @throws DomainError `validation_failed`
 */
export async function createDeployToken(
  app: App,
  request: DeployTokenRequest,
): Promise<DeployTokenRow & { token: string }> {
  const now = app.now()
  const { expiresAt: asked } = request
  const values = { ...request, expiresAt: asked === null ? null : deployTokenExpiry(asked) }
  const errors = deployTokenErrors(values, now)
  if (errors !== undefined) throw validationFailed(errors)
  const token = newSecret()
  const scopes = [...new Set(request.scopes)]
  const row = await app.db.transaction((tx) =>
    insertDeployToken(tx, { ...values, scopes, tokenHash: hashSecret(token), createdAt: now }),
  )
  return { ...row, token }
}

/** What a deploy token reads. */
export interface DeployTokenAccess {
  projectId: number
  scopes: readonly string[]
}

/**
 * What a user name and a deploy token give access to; undefined where the token is none.
 * @throws DomainError `invalid_token` for one that has ended or has another user name
 */
export async function authenticateDeployToken(
  app: App,
  username: string,
  token: string,
): Promise<DeployTokenAccess | undefined> {
  const row = await findDeployToken(app.db, hashSecret(token))
  if (row === undefined) return undefined
  const active = isTokenActive({ revoked: false, expiresAt: row.expiresAt }, app.now())
  if (!active || !sameSecret(username, deployTokenUsername(row))) {
    throw new DomainError('invalid_token')
  }
  return { projectId: row.projectId, scopes: fromJsonText<string[]>(row.scopes) }
}
