import { type DeployToken, deployTokenUsername } from '@stithy/core'
import { type DeployTokenRow, fromJsonText } from '@stithy/store'
import { instantOrNull } from '../http/instant.ts'

/** The wire shape of a deploy token. */
export function presentDeployToken(row: DeployTokenRow): DeployToken {
  const { id, name, expiresAt } = row
  return {
    id,
    name,
    username: deployTokenUsername(row),
    expires_at: instantOrNull(expiresAt),
    scopes: fromJsonText<DeployToken['scopes']>(row.scopes),
  }
}
