import type { Tools } from '../tools.ts'
import { keptCounts } from './issues.ts'

export async function createEpics(t: Tools): Promise<void> {
  await t.table('epics', {
    id: t.id(),
    groupId: t.owner('namespaces'),
    iid: t.long(),
    authorId: t.owner('users'),
    title: t.text(),
    description: t.textOrNull(),
    state: t.text('opened'),
    closedById: t.mentionOrNull('users'),
    closedAt: t.longOrNull(),
    ...keptCounts(t),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.unique('epics', 'groupId', 'iid')
  await t.index('epics', 'groupId', 'createdAt', 'id')
  await t.index('epics', 'groupId', 'updatedAt', 'id')
  await t.index('epics', 'authorId')
  await t.index('epics', 'closedById')
}
