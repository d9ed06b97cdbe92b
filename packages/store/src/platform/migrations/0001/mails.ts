import type { Tools } from '../tools.ts'

/** mails, passwordResets */
export async function createMails(t: Tools): Promise<void> {
  await t.table('mails', {
    id: t.id(),
    key: t.text(),
    kind: t.text(),
    userId: t.parent('users'),
    payload: t.text(),
    state: t.text('waiting'),
    createdAt: t.long(),
    finishedAt: t.longOrNull(),
  })
  await t.unique('mails', 'key')
  await t.index('mails', 'userId')
  await t.index('mails', 'createdAt')
  await t.table(
    'passwordResets',
    { userId: t.parent('users'), tokenHash: t.text(), expiresAt: t.long() },
    ['userId'],
  )
  await t.unique('passwordResets', 'tokenHash')
}
