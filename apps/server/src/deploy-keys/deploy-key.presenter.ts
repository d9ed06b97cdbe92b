import type { DeployKey, ProjectDeployKey } from '@stithy/core'
import type { DeployKeyRow, ProjectDeployKeyRow } from '@stithy/store'
import { instantText } from '../http/instant.ts'

/** The wire shape of a deploy key. */
export function presentDeployKey({ id, title, key, createdAt }: DeployKeyRow): DeployKey {
  return { id, title, key, created_at: instantText(createdAt) }
}

/** The wire shape of a deploy key as a project uses it. */
export function presentProjectDeployKey(row: ProjectDeployKeyRow): ProjectDeployKey {
  return { ...presentDeployKey(row), can_push: row.canPush === 1 }
}
