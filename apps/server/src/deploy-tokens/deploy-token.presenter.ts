import { type DeployToken, deployTokenUsername } from '@stithy/core'
import { type DeployTokenRow, fromJsonText } from '@stithy/store'

/** The wire shape of a deploy token. */
export function presentDeployToken(row: DeployTokenRow): DeployToken {
  const { id, name, expiresAt } = row
  return {
    id,
    name,
    username: deployTokenUsername(row),
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    scopes: fromJsonText<DeployToken['scopes']>(row.scopes),
  }
}
