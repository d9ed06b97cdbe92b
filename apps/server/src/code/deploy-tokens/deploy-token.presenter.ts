import { type DeployToken, deployTokenUsername } from '@stithy/core'
import { type DeployTokenRow, fromJsonText } from '@stithy/store'
import { timestampOrNull } from '../../platform/http/timestamp.ts'

/** Presents a deploy token. */
export function presentDeployToken(row: DeployTokenRow): DeployToken {
  const { id, name, expiresAt } = row
  return {
    id,
    name,
    username: deployTokenUsername(row),
    expires_at: timestampOrNull(expiresAt),
    scopes: fromJsonText<DeployToken['scopes']>(row.scopes),
  }
}
