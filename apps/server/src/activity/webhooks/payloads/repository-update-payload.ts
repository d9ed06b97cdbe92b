import { zeroOid } from '@stithy/git'
import type { ProjectRow, UserRow } from '@stithy/store'
import type { RecordedPush } from '../../../code/pushes/push.changes.ts'
import type { Config } from '../../../platform/config/config.ts'
import { timestampText } from '../../../platform/http/timestamp.ts'
import { avatarUrl } from '../../../platform/uploads/avatar-url.ts'
import { hookProjectWithAliases } from './shared.ts'

/** Builds the body of `repository_update`, of which there is one for all refs of a push. */
export function buildRepositoryUpdate(
  config: Config,
  row: ProjectRow,
  { updates, pushedAt }: Pick<RecordedPush, 'updates' | 'pushedAt'>,
  user: UserRow | undefined,
) {
  return {
    event_name: 'repository_update',
    created_at: timestampText(pushedAt),
    updated_at: timestampText(pushedAt),
    user_id: user?.id ?? null,
    user_name: user?.name ?? null,
    user_email: user?.email ?? null,
    user_avatar: user === undefined ? null : avatarUrl(config, 'user', user.id, user.avatar),
    project_id: row.id,
    project: hookProjectWithAliases(config, row),
    changes: updates.map(({ before, after, ref }) => ({
      before: before ?? zeroOid,
      after: after ?? zeroOid,
      ref,
    })),
    refs: updates.map(({ ref }) => ref),
  }
}
