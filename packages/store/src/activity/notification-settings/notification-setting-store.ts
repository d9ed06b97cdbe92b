import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList, jsonText, pick } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** The user and the scope of a setting: global, one group or one project. */
export type NotificationScope = Pick<Row<'notificationSettings'>, 'userId' | 'scope' | 'scopeId'>

/** The chosen level and events; `events` is JSON. */
export type NotificationChoice = Pick<Row<'notificationSettings'>, 'level' | 'events'>

/** Finds a user's setting in a scope; undefined if they never changed it. */
export function findNotificationSetting(
  q: Queries,
  scope: NotificationScope,
): Promise<NotificationChoice | undefined> {
  return q.first('notification-settings.find', scope, (db, $) =>
    db
      .selectFrom('notificationSettings')
      .select(['level', 'events'])
      .where('userId', '=', $('userId'))
      .where('scope', '=', $('scope'))
      .where('scopeId', '=', $('scopeId')),
  )
}

/** Stores a user's setting in a scope. */
export async function saveNotificationSetting(
  tx: Transaction,
  scope: NotificationScope,
  choice: { level: number; events: Readonly<Record<string, boolean>> },
): Promise<void> {
  const args = { ...scope, level: choice.level, events: jsonText(choice.events) }
  await tx.run('notification-settings.save', args, (db, $) =>
    db
      .insertInto('notificationSettings')
      .values(pick($, ['userId', 'scope', 'scopeId', 'level', 'events']))
      .onConflict((conflict) =>
        conflict
          .columns(['userId', 'scope', 'scopeId'])
          .doUpdateSet({ level: $('level'), events: $('events') }),
      ),
  )
}

/** Deletes all settings in projects or groups that are being deleted. */
export async function deleteNotificationSettings(
  tx: Transaction,
  args: { scope: 'group' | 'project'; ids: readonly number[] },
): Promise<void> {
  await tx.run('notification-settings.forget', args, (db, $) =>
    db
      .deleteFrom('notificationSettings')
      .where('scope', '=', $('scope'))
      .where(inList('notificationSettings.scopeId', $('ids'))),
  )
}
