import { insertRow } from '@stithy/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { setSubscription, subscribedTo } from './subscription.service.ts'

let server: TestServer
let targets: { type: 'issue' | 'merge_request' | 'epic'; id: number }[]
let author: number
beforeAll(async () => {
  server = await buildTestServer()
  author = (await server.buildUser()).id
  const project = await server.buildProject()
  const group = await server.buildGroup()
  const now = server.app.now()
  const row = { iid: 1, authorId: author, title: 'Title', createdAt: now, updatedAt: now }
  const { db } = server.app
  const issue = await insertRow(db, 'issues', { ...row, projectId: project.id })
  const epic = await insertRow(db, 'epics', { ...row, groupId: group.id })
  const request = await insertRow(db, 'mergeRequests', {
    ...row,
    projectId: project.id,
    targetBranch: 'main',
    sourceBranch: 'topic',
    headSha: 'a'.repeat(40),
    startSha: 'a'.repeat(40),
  })
  targets = [
    { type: 'issue', id: issue.id },
    { type: 'merge_request', id: request.id },
    { type: 'epic', id: epic.id },
  ]
})
afterAll(() => server.close())

const set = (target: (typeof targets)[number], userId: number, subscribed: boolean) =>
  server.app.db.transaction((tx) => setSubscription(tx, target, userId, subscribed, 1))

async function isIn({ type, id }: (typeof targets)[number], userId: number): Promise<boolean> {
  return (await subscribedTo(server.app, type, [id], userId)).has(id)
}

/** The ways in which a user becomes a participant. */
const ways: Record<string, (target: (typeof targets)[number], userId: number) => Promise<unknown>> =
  {
    comment: ({ type, id }, userId) =>
      insertRow(server.app.db, 'notes', {
        noteableType: type,
        noteableId: id,
        discussionId: 'd'.repeat(40),
        authorId: userId,
        body: 'Me too',
        createdAt: 1,
        updatedAt: 1,
      }),
    mention: ({ type, id }, userId) =>
      server.app.db.run('test.mention', { type, id, userId }, (db, $) =>
        db
          .insertInto('mentions')
          .values({ targetType: $('type'), targetId: $('id'), noteId: 0, userId: $('userId') }),
      ),
    assignment: ({ type, id }, userId) =>
      server.app.db.run(`test.assign.${type}`, { id, userId }, (db, $) =>
        type === 'issue'
          ? db
              .insertInto('issueAssignees')
              .values({ issueId: $('id'), userId: $('userId'), position: 0, createdAt: 1 })
          : db
              .insertInto('mergeRequestAssignees')
              .values({ mergeRequestId: $('id'), userId: $('userId'), position: 0 }),
      ),
  }

describe('the subscription of a user', () => {
  it.each(Object.keys(ways))(
    'follows from participation, and a choice overrides it: %s',
    async (way) => {
      for (const target of targets) {
        if (way === 'assignment' && target.type === 'epic') continue
        const { id } = await server.buildUser()
        expect(await isIn(target, id)).toBe(false)
        await ways[way]?.(target, id)
        expect(await isIn(target, id)).toBe(true)
        expect(await set(target, id, true)).toBe(false)
        expect(await set(target, id, false)).toBe(true)
        expect(await isIn(target, id)).toBe(false)
        expect(await set(target, id, false)).toBe(false)
        expect(await set(target, id, true)).toBe(true)
      }
    },
  )

  it('follows from being the author, and not from system notes', async () => {
    for (const target of targets) {
      expect(await isIn(target, author)).toBe(true)
      const { id } = await server.buildUser()
      await insertRow(server.app.db, 'notes', {
        noteableType: target.type,
        noteableId: target.id,
        discussionId: 'e'.repeat(40),
        authorId: id,
        body: 'closed',
        system: 1,
        createdAt: 1,
        updatedAt: 1,
      })
      expect(await isIn(target, id)).toBe(false)
    }
  })

  it('can be chosen without participation', async () => {
    for (const target of targets) {
      const { id } = await server.buildUser()
      expect(await set(target, id, false)).toBe(false)
      expect(await set(target, id, true)).toBe(true)
      expect(await isIn(target, id)).toBe(true)
    }
  })
})
