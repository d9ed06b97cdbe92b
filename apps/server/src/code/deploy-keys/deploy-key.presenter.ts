import type { DeployKey, ProjectDeployKey } from '@stithy/core'
import type { DeployKeyRow, ProjectDeployKeyRow } from '@stithy/store'
import { timestampText } from '../../platform/http/timestamp.ts'

/** Presents a deploy key. */
export function presentDeployKey({ id, title, key, createdAt }: DeployKeyRow): DeployKey {
  return { id, title, key, created_at: timestampText(createdAt) }
}

/** Presents a deploy key as enabled in a project. */
export function presentProjectDeployKey(row: ProjectDeployKeyRow): ProjectDeployKey {
  return { ...presentDeployKey(row), can_push: row.canPush === 1 }
}
