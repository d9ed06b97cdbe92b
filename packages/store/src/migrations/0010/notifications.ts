import type { Tools } from '../tools.ts'

export async function createNotificationSettings(t: Tools): Promise<void> {
  await t.table('notificationSettings', {
    id: t.id(),
    userId: t.owner('users'),
    scope: t.text(),
    scopeId: t.long(0),
    level: t.int(),
    events: t.text('{}'),
  })
  await t.unique('notificationSettings', 'userId', 'scope', 'scopeId')
  await t.index('notificationSettings', 'scope', 'scopeId')
}
