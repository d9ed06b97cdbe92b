import { type CurrentUser, type InstanceKey, type KeyProject, maxKeyProjects } from '@stithy/core'
import { findUser, listKeyProjects, type SshKeyRow } from '@stithy/store'
import { presentSshKey } from '../../directory/keys/ssh-key.presenter.ts'
import { presentCurrentUser } from '../../directory/users/user.presenter.ts'
import { viewUser } from '../../directory/users/user-views.service.ts'
import type { App } from '../../platform/app.ts'
import { timestampText } from '../../platform/http/timestamp.ts'

/** Loads what administrators see of a key. At most five queries. */
export async function viewInstanceKey(app: App, row: SshKeyRow): Promise<InstanceKey> {
  const user = await viewKeyUser(app, row.userId ?? row.creatorId)
  const key = { ...presentSshKey(row), user }
  if (row.kind === 'user') return key
  return { ...key, deploy_keys_projects: await viewProjects(app, row.id) }
}

async function viewKeyUser(app: App, userId: number | null): Promise<CurrentUser | null> {
  const row = userId === null ? undefined : await findUser(app.db, userId)
  return row === undefined ? null : presentCurrentUser(app.config, await viewUser(app, row))
}

async function viewProjects(app: App, keyId: number): Promise<KeyProject[]> {
  const rows = await listKeyProjects(app.db, { keyId, limit: maxKeyProjects })
  return rows.map(({ projectId, canPush, createdAt }) => ({
    deploy_key_id: keyId,
    project_id: projectId,
    created_at: timestampText(createdAt),
    can_push: canPush === 1,
  }))
}
