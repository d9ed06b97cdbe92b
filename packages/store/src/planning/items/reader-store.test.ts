import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { levelInGroup, levelInProject } from '../../directory/members/levels.ts'
import type { Row } from '../../platform/schema/schema.ts'
import {
  buildMember,
  buildNamespace,
  buildProject,
  buildShare,
  buildUser,
  openTestDatabase,
  type TestDatabase,
} from '../../testing/index.ts'
import { listGroupReaders, listProjectReaders, listReaders } from './reader-store.ts'

const today = '2019-06-15'
const yesterday = { expiresOn: '2019-06-14' }
let db: TestDatabase
let users: Row<'users'>[]
let top: Row<'namespaces'>
let below: Row<'namespaces'>
let project: Row<'projects'>

/**
 * Users with every kind of membership, of a project in a subgroup that is shared with two groups.
 */
beforeAll(async () => {
  db = await openTestDatabase()
  top = await buildNamespace(db)
  below = await buildNamespace(db, {}, top)
  project = await buildProject(db, below)
  const shared = await buildNamespace(db)
  const once = await buildNamespace(db)
  await buildShare(db, project.id, shared.id, 20)
  await buildShare(db, project.id, once.id, 40, yesterday)
  users = []
  const sources = [
    { kind: 'project', id: project.id },
    { kind: 'group', id: below.id },
    { kind: 'group', id: top.id },
    { kind: 'group', id: shared.id },
    { kind: 'group', id: once.id },
  ] as const
  for (const source of sources) {
    for (const changes of [{}, yesterday]) {
      const user = await buildUser(db, { external: 1 })
      await buildMember(db, user, source, 30, changes)
      users.push(user)
    }
  }
  const several = await buildUser(db, { admin: 1 })
  await buildMember(db, several, sources[0], 10)
  await buildMember(db, several, sources[2], 40)
  users.push(several, await buildUser(db))
})
afterAll(() => db.close())

const ids = () => users.map((user) => user.id)

describe('listProjectReaders', () => {
  it('returns the level of each user, as when asked one by one', async () => {
    const readers = await listProjectReaders(db, { projectId: project.id, userIds: ids(), today })
    const levels = new Map(readers.map(({ facts, level }) => [facts.userId, level]))
    expect([...levels.values()].toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 20, 30, 30, 30, 40])
    for (const userId of ids()) {
      const level = await levelInProject(db, { projectId: project.id, userId, today })
      expect([userId, levels.get(userId)]).toEqual([userId, level])
    }
    const admins = readers.filter(({ facts }) => facts.admin)
    expect(admins.map(({ facts }) => [facts.external, facts.admin])).toEqual([[false, true]])
  })

  it('includes the owner of the personal namespace', async () => {
    const owner = await buildUser(db)
    const personal = await buildNamespace(db, { kind: 'user', ownerId: owner.id })
    const own = await buildProject(db, personal)
    const readers = await listProjectReaders(db, {
      projectId: own.id,
      userIds: [owner.id, users[0]?.id ?? 0],
      today,
    })
    const byUser = readers.toSorted((a, b) => a.facts.userId - b.facts.userId)
    expect(byUser.map(({ level }) => level)).toEqual([0, 50])
  })
})

describe('listGroupReaders', () => {
  it('returns the level of each user, as when asked one by one', async () => {
    for (const group of [top, below]) {
      const readers = await listGroupReaders(db, { groupId: group.id, userIds: ids(), today })
      expect(readers).toHaveLength(users.length)
      for (const { facts, level } of readers) {
        const { userId } = facts
        expect(level).toBe(await levelInGroup(db, { groupId: group.id, userId, today }))
      }
    }
  })
})

describe('readers', () => {
  it('are active users', async () => {
    const blocked = await buildUser(db, { state: 'blocked' })
    const ghost = await buildUser(db, { kind: 'ghost' })
    const leaving = await buildUser(db, { kind: 'leaving' })
    const userIds = [blocked.id, ghost.id, leaving.id, 999_999]
    expect(await listReaders(db, { userIds })).toEqual([])
    expect(await listProjectReaders(db, { projectId: project.id, userIds, today })).toEqual([])
    expect(await listGroupReaders(db, { groupId: top.id, userIds, today })).toEqual([])
  })
})
