import type { Queries, Transaction } from '../queries.ts'
import type { Row } from '../schema/schema.ts'
import { inList, jsonText, pick } from '../sql.ts'

/** Whose settings, and where: everywhere, or in one group or project. */
export type NotificationPlace = Pick<Row<'notificationSettings'>, 'userId' | 'scope' | 'scopeId'>

/** What is chosen; `events` is JSON. */
export type NotificationChoice = Pick<Row<'notificationSettings'>, 'level' | 'events'>

/** What somebody chose in a place; undefined where they left it as it is. */
export function findNotificationSetting(
  q: Queries,
  place: NotificationPlace,
): Promise<NotificationChoice | undefined> {
  return q.first('notification-settings.find', place, (db, $) =>
    db
      .selectFrom('notificationSettings')
      .select(['level', 'events'])
      .where('userId', '=', $('userId'))
      .where('scope', '=', $('scope'))
      .where('scopeId', '=', $('scopeId')),
  )
}

/** Keeps what somebody chose in a place. */
export async function saveNotificationSetting(
  tx: Transaction,
  place: NotificationPlace,
  choice: { level: number; events: Readonly<Record<string, boolean>> },
): Promise<void> {
  const args = { ...place, level: choice.level, events: jsonText(choice.events) }
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

/** Forgets what people chose in projects or groups that go. */
export async function forgetNotificationSettings(
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
