import { describe, expect, it } from 'vitest'
import {
  buildNamespace,
  buildUser,
  insertRow,
  openTestDatabase,
  someTime,
} from '../../testing/index.ts'
import { detachEpics, removeEpics } from './epic-removal.ts'

describe('detachEpics', () => {
  it('takes up to a limit of children at a time, until there are fewer', async () => {
    await using db = await openTestDatabase()
    const group = await buildNamespace(db)
    const author = await buildUser(db)
    const times = { createdAt: someTime, updatedAt: someTime }
    const shared = { groupId: group.id, authorId: author.id, title: 'An epic', ...times }
    const parent = await insertRow(db, 'epics', { ...shared, iid: 1 })
    for (const iid of [2, 3, 4])
      await insertRow(db, 'epics', { ...shared, iid, parentId: parent.id })
    const detach = () => db.transaction((tx) => detachEpics(tx, { ids: [parent.id], limit: 2 }))
    expect([await detach(), await detach(), await detach()]).toEqual([2, 1, 0])
    const remove = () => db.transaction((tx) => removeEpics(tx, { groupId: group.id, limit: 9 }))
    expect([await remove(), await remove()]).toEqual([4, 0])
  })
})
