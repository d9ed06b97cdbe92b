import { findOrphans, findWrongCounts, insertRow } from '@stithy/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs, created } from '../../../testing/clients/calls.ts'
import { buildIssueFixture, type IssueFixture } from '../../../testing/fixtures/issues.ts'
import type { Json } from '../../../testing/test-server.ts'

// Copies of issues with many comments: the first hundred, or the first million characters, at once, and
// the others by jobs, so that no transaction keeps others waiting.

let fixture: IssueFixture
let target: Json
beforeAll(async () => {
  fixture = await buildIssueFixture()
  target = await fixture.server.buildProject({ visibility: 'public' })
})
afterAll(() => fixture.server.close())

const at = 1_500_000_000_000

/** Opens an issue with comments, of which each two are a thread; every tenth has an award. */
async function openWith(bodies: readonly string[]): Promise<Json> {
  const { server, project, owner } = fixture
  const { db } = server.app
  const issue = await fixture.open()
  for (const [index, body] of bodies.entries()) {
    const thread = Math.floor(index / 2)
      .toString(16)
      .padStart(8, '0')
    const note = await insertRow(db, 'notes', {
      ...{ projectId: project.id, noteableType: 'issue', noteableId: issue.id, body },
      ...{
        authorId: owner.id,
        type: 'discussion_note',
        createdAt: at + index,
        updatedAt: at + index,
      },
      discussionId: `${issue.id}`.padStart(32, '0') + thread,
    })
    if (index % 10 !== 0) continue
    const award = { noteId: note.id, projectId: project.id, userId: owner.id, at }
    await db.run('test.award', award, (kysely, $) =>
      kysely.insertInto('awards').values({
        ...{ targetType: 'note', targetId: $('noteId'), name: 'tada' },
        ...{ projectId: $('projectId'), userId: $('userId') },
        ...{ createdAt: $('at'), updatedAt: $('at') },
      }),
    )
  }
  const args = { id: issue.id, count: bodies.length }
  await db.run('test.count', args, (kysely, $) =>
    kysely
      .updateTable('issues')
      .set({ userNotesCount: $('count') })
      .where('id', '=', $('id')),
  )
  return issue
}

interface Copy {
  path: string
  count: () => Promise<number>
}

const copies: Record<'moved' | 'promoted', (issue: Json) => Promise<Copy>> = {
  async moved({ iid }) {
    const answer = await fixture.call('POST', `/${iid}/move`, { to_project_id: target.id }, admin())
    const path = `/projects/${target.id}/issues/${answer.body.iid}`
    return { path, count: async () => (await read(path)).user_notes_count }
  },
  async promoted({ iid }) {
    await fixture.call('POST', `/${iid}/notes`, { body: '/promote' })
    const [epic] = await read(`/groups/${fixture.group.id}/epics`)
    const path = `/groups/${fixture.group.id}/epics/${epic.id}`
    return { path, count: async () => countOfEpic(epic.id) }
  },
}

const admin = () => fixture.server.root

async function read(path: string): Promise<Json> {
  const { status, body } = await callAs(fixture.server, 'GET', path, admin().token)
  if (status !== 200) throw new Error(`GET ${path}: ${status}`)
  return body
}

async function countOfEpic(id: number): Promise<number> {
  const row = await fixture.server.app.db.first('test.epic', { id }, (db, $) =>
    db.selectFrom('epics').where('id', '=', $('id')).select('userNotesCount'),
  )
  return row?.userNotesCount ?? 0
}

async function commentsOf({ path }: Copy): Promise<string[]> {
  const bodies: string[] = []
  for (let page = 1; ; page += 1) {
    const query = `sort=asc&order_by=created_at&per_page=100&page=${page}`
    const notes = await read(`${path}/notes?${query}`)
    bodies.push(...notes.filter(({ system }: Json) => !system).map(({ body }: Json) => body))
    if (notes.length < 100) return bodies
  }
}

async function faults(): Promise<string[]> {
  const { db } = fixture.server.app
  return [...(await findOrphans(db)), ...(await findWrongCounts(db))]
}

describe('a copy of an issue with many comments', () => {
  it.each(['moved', 'promoted'] as const)('gets the later ones by jobs: %s', async (kind) => {
    const other = await fixture.open()
    const bodies = Array.from({ length: 250 }, (_, index) => `Comment ${index} on #${other.iid}`)
    const issue = await openWith(bodies)
    const copy = await copies[kind](issue)
    const full = `${fixture.project.path_with_namespace}#${other.iid}`
    const expected = bodies.map((body) => body.replace(`#${other.iid}`, full))
    expect([await copy.count(), await commentsOf(copy)]).toEqual([100, expected.slice(0, 100)])
    expect(await faults()).toEqual([])
    // What is written on the issue afterwards is not copied.
    await fixture.call('POST', `/${issue.iid}/notes`, { body: 'Too late' })
    await created(fixture.server, `${copy.path}/notes`, { body: 'On the copy' })
    await fixture.server.runJobs()
    expect([await copy.count(), await commentsOf(copy)]).toEqual([
      251,
      [...expected, 'On the copy'],
    ])
    const discussions: Json[] = await read(`${copy.path}/discussions?per_page=100&page=1`)
    const threads = discussions.filter(({ notes }) => notes.length === 2)
    expect(threads.length).toBeGreaterThanOrEqual(99)
    expect(await faults()).toEqual([])
  })

  it('gets those beyond a million characters by jobs', async () => {
    const long = (index: number) => `${index} ${'x'.repeat(600_000)}`
    const bodies = [long(1), long(2), long(3), 'the last']
    const copy = await copies.promoted(await openWith(bodies))
    expect(await commentsOf(copy)).toEqual(bodies.slice(0, 2))
    await fixture.server.runJobs()
    expect(await commentsOf(copy)).toEqual(bodies)
  })

  it.each(['copy', 'issue'] as const)('gets no more once it is deleted: the %s', async (which) => {
    const issue = await openWith(Array.from({ length: 120 }, () => 'A comment'))
    const copy = await copies.moved(issue)
    const path = which === 'copy' ? copy.path : `/projects/${issue.project_id}/issues/${issue.iid}`
    expect((await callAs(fixture.server, 'DELETE', path, admin().token)).status).toBe(204)
    await fixture.server.runJobs()
    if (which === 'issue') expect(await copy.count()).toBe(100)
    expect(await faults()).toEqual([])
  })

  it('costs the same number of queries for 10 comments as for 100', async () => {
    const { db } = fixture.server.app
    const queries: number[] = []
    for (const count of [10, 10, 100]) {
      const issue = await openWith(Array.from({ length: count }, () => 'A comment'))
      const before = db.stats.queries
      await fixture.call('POST', `/${issue.iid}/notes`, { body: '/promote' })
      queries.push(db.stats.queries - before)
    }
    expect(queries[2]).toBe(queries[1])
  })
})
