import {
  type DeployTokenValues,
  DomainError,
  deployTokenErrors,
  deployTokenUsername,
  isTokenActive,
  validationFailed,
} from '@stithy/core'
import {
  type DeployTokenRow,
  deleteDeployToken,
  findDeployToken,
  fromJsonText,
  insertDeployToken,
  type Transaction,
} from '@stithy/store'
import { hashSecret, newSecret, secretsMatch } from '../../directory/authentication/secret.ts'
import type { App } from '../../platform/app.ts'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'

export interface DeployTokenRequest extends DeployTokenValues {
  projectId: number
  creatorId: number | null
}

/**
 * Creates a deploy token. Only its hash is stored; `token` is the only time it is readable.
 * @throws DomainError `validation_failed`
 */
export async function createDeployToken(
  app: App,
  request: DeployTokenRequest,
): Promise<DeployTokenRow & { token: string }> {
  const now = app.now()
  const errors = deployTokenErrors(request, now)
  if (errors !== undefined) throw validationFailed(errors)
  const token = newSecret()
  const scopes = [...new Set(request.scopes)]
  const row = await app.db.transaction(async (tx) => {
    const created = { ...request, scopes, tokenHash: hashSecret(token), createdAt: now }
    const row = await insertDeployToken(tx, created)
    await record(tx, 'deploy_token.created', row, now)
    return row
  })
  return { ...row, token }
}

/** Revokes a deploy token of a project. */
export async function revokeDeployToken(app: App, row: DeployTokenRow): Promise<void> {
  await app.db.transaction(async (tx) => {
    await deleteDeployToken(tx, { projectId: row.projectId, id: row.id })
    await record(tx, 'deploy_token.revoked', row, app.now())
  })
}

function record(
  tx: Transaction,
  kind: 'deploy_token.created' | 'deploy_token.revoked',
  { id: tokenId, projectId, name }: DeployTokenRow,
  now: number,
): Promise<void> {
  return recordChange(tx, { kind, ...changeByCaller(now), projectId, tokenId, name })
}

/** What a deploy token may read. */
export interface DeployTokenAccess {
  projectId: number
  scopes: readonly string[]
}

/**
 * Resolves a username and a deploy token to what they give access to; undefined if the token is
 * unknown.
 * @throws DomainError `invalid_token` for one that is revoked, expired or has another username
 */
export async function authenticateDeployToken(
  app: App,
  username: string,
  token: string,
): Promise<DeployTokenAccess | undefined> {
  const row = await findDeployToken(app.db, hashSecret(token))
  if (row === undefined) return undefined
  const active = isTokenActive({ revoked: false, expiresAt: row.expiresAt }, app.now())
  if (!active || !secretsMatch(username, deployTokenUsername(row))) {
    throw new DomainError('invalid_token')
  }
  return { projectId: row.projectId, scopes: fromJsonText<string[]>(row.scopes) }
}
