import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/queries/queries.ts'
import {
  buildNamespace,
  buildProject,
  buildUser,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../../testing/index.ts'
import { addCrossReference } from '../mentions/cross-reference-store.ts'
import { chooseSubscription, listSubscribed } from '../subscriptions/subscription-store.ts'
import { finishTodosOf, insertTodos, type NewTodos, type TodoTarget } from './todo-store.ts'

let db: TestDatabase
let other: Database
let users: number[]
let issue: TodoTarget & { type: 'issue' }
let commit: TodoTarget
beforeAll(async () => {
  db = await openTestDatabase()
  other = await db.openAgain()
  users = [(await buildUser(db)).id, (await buildUser(db)).id]
  const project = await buildProject(db, await buildNamespace(db))
  const parent = { projectId: project.id, groupId: null }
  issue = { type: 'issue', id: 1, commitId: null, ...parent }
  commit = { type: 'commit', id: null, commitId: 'c0ffee', ...parent }
})
afterAll(() => db.close())

function draft(target: TodoTarget, userIds = users): NewTodos {
  const [authorId = 0] = users
  return { target, userIds, authorId, action: 'mentioned', noteId: null, at: someTime }
}

const add = (todos: NewTodos, into: Database = db) =>
  into.transaction((tx) => insertTodos(tx, todos))

describe('insertTodos', () => {
  it('creates one pending todo per user and target', async () => {
    for (const target of [issue, commit]) {
      const first = await add(draft(target))
      expect(first.map((todo) => todo.userId).toSorted()).toEqual(users)
      expect(await add({ ...draft(target), action: 'marked' })).toEqual([])
      const [userId = 0] = users
      const done = { target, userId, at: someTime }
      expect(await db.transaction((tx) => finishTodosOf(tx, done))).toBe(1)
      expect(await db.transaction((tx) => finishTodosOf(tx, done))).toBe(0)
      expect(await add(draft(target))).toMatchObject([{ userId }])
    }
  })

  it('leaves unknown users out', async () => {
    expect(await add(draft({ ...issue, id: 2 }, [999_999]))).toEqual([])
  })

  it('creates one when two calls run concurrently', async () => {
    const todos = draft({ ...issue, id: 3 })
    const made = await Promise.all([db, other, db, other].map((into) => add(todos, into)))
    expect(made.flat()).toHaveLength(2)
  })

  it('distinguishes commits by project', async () => {
    const project = await buildProject(db, await buildNamespace(db))
    expect(await add(draft({ ...commit, projectId: project.id } as TodoTarget))).toHaveLength(2)
  })
})

describe('chooseSubscription', () => {
  it('changes something once when two calls run concurrently', async () => {
    const choice = {
      targetType: 'label',
      targetId: 1,
      userId: users[0] ?? 0,
      at: someTime,
    } as const
    const choose = (into: Database, subscribed: boolean) =>
      into.transaction((tx) => chooseSubscription(tx, choice, subscribed))
    const all = [db, other, db, other]
    for (const subscribed of [true, false]) {
      const changed = await Promise.all(all.map((into) => choose(into, subscribed)))
      expect(changed.filter(Boolean)).toEqual([true])
      const found = await listSubscribed(db, 'label', { userId: choice.userId, ids: [1] })
      expect([...found]).toEqual(subscribed ? [1] : [])
    }
  })
})

describe('addCrossReference', () => {
  it('stores each pair once, also with concurrent calls and outside of projects', async () => {
    const { projectId } = issue
    const sources = [
      { type: 'issue', key: '7', projectId },
      { type: 'commit', key: 'c0ffee', projectId },
      { type: 'epic', key: '7', projectId: null },
      { type: 'snippet', key: '7', projectId: null },
    ] as const
    for (const source of sources) {
      const pair = { targetType: 'issue', targetId: 1, source, at: someTime } as const
      const add = (into: Database) => into.transaction((tx) => addCrossReference(tx, pair))
      const added = await Promise.all([db, other, db].map(add))
      expect(added.filter(Boolean)).toHaveLength(1)
    }
  })
})
