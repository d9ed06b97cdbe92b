import { findOrphans, findWrongCounts, runText, writeText } from '@stithy/store/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import {
  buildNoteableFixture,
  type NoteableFixture,
  type TestNoteable,
} from '../../testing/fixtures/noteables.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: NoteableFixture
/** The fixture whose items are kept. */
let other: NoteableFixture
let user: TestUser
beforeEach(async () => {
  server = await buildTestServer()
  fixture = await buildNoteableFixture(server)
  other = await buildNoteableFixture(server)
  user = await fixture.member(30)
  await server.addMember(`groups/${other.group.id}`, user.id, 30)
})
afterEach(() => server.close())

const kinds = ['Issue', 'MergeRequest', 'Snippet', 'Epic', 'Commit'] as const
type Noteables = Record<(typeof kinds)[number], TestNoteable>

/** Orphaned rows, and stored counts that are wrong. */
async function findInconsistencies(): Promise<string[]> {
  const { db } = server.app
  return [...(await findOrphans(db)), ...(await findWrongCounts(db))]
}

/** A call that must succeed. */
async function post(by: TestUser | { token: string }, method: string, path: string, body?: object) {
  const { token } = by
  const answer = await server.inject(method, path, { token, ...(body ? { body } : {}) })
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

async function buildNoteables(of: NoteableFixture): Promise<Noteables> {
  return {
    Issue: await of.build('Issue', { by: user, assignee_ids: [user.id] }),
    MergeRequest: await of.build('MergeRequest', { authorId: user.id, assigneeIds: [user.id] }),
    Snippet: await of.build('Snippet', { by: user }),
    Epic: await of.build('Epic', { authorId: user.id }),
    Commit: await of.build('Commit'),
  }
}

/**
 * Creates every kind of dependent on a noteable, as the user and as root; a note refers to the
 * issue of the other project.
 */
async function createDependents(of: NoteableFixture, item: TestNoteable, reference: string) {
  for (const by of [user, server.root]) {
    const path = item.path
    const body = `See ${reference}, @${user.username} and @root`
    const discussion = await post(by, 'POST', `${path}/discussions`, { body })
    await post(by, 'POST', `${path}/discussions/${discussion.id}/notes`, { body: 'And more' })
    if (['Epic', 'Commit'].includes(item.kind)) continue
    await post(by, 'POST', `${path}/award_emoji`, { name: 'thumbsup' })
    await post(by, 'POST', `${path}/award_emoji`, { name: 'thumbsdown' })
    const note = discussion.notes[0].id
    await post(by, 'POST', `${path}/notes/${note}/award_emoji`, { name: 'tada' })
    if (item.kind === 'Snippet') continue
    const commands = `Text\n/label ~"of ${of.made.project.id}"\n/spend 1h\n/todo\n/subscribe`
    await post(by, 'POST', `${path}/notes`, { body: commands })
  }
}

/** Inserts rows that no endpoint writes yet. */
async function writeRest({ Issue, MergeRequest, Epic }: Noteables, labelId: number) {
  const write = (text: string) => writeText(server.app.db, text)
  const [issue, request, epic] = [Issue.id, MergeRequest.id, Epic.id]
  await write(
    `insert into "mergeRequestClosings" ("mergeRequestId", "issueId") values (${request}, ${issue})`,
  )
  await write(
    `update issues set "mergeRequestsCount" = "mergeRequestsCount" + 1 where id = ${issue}`,
  )
  await write(`update "mergeRequests" set "assigneeCount" = 1 where id = ${request}`)
  await write(`insert into subscriptions ("targetType", "targetId", "userId", subscribed, "createdAt")
    values ('epic', ${epic}, ${user.id}, 1, 1), ('epic', ${epic}, 1, 1, 1), ('label', ${labelId}, ${user.id}, 1, 1)`)
  await write(
    `insert into "labelLinks" ("targetType", "targetId", "labelId", "projectId", "createdAt") values ('epic', ${epic}, ${labelId}, null, 1)`,
  )
  await write(`update epics set "labelCount" = 1, upvotes = 1 where id = ${epic}`)
  await write(`insert into "labelEvents" ("targetType", "targetId", "labelId", "projectId", "userId", action, "createdAt")
    values ('epic', ${epic}, ${labelId}, null, ${user.id}, 'add', 1)`)
  await write(`insert into awards ("targetType", "targetId", "projectId", "userId", name, "createdAt", "updatedAt")
    values ('epic', ${epic}, null, ${user.id}, 'thumbsup', 1, 1)`)
}

/** Fills both worlds; each refers to the issue of the other. */
async function fill(): Promise<{ here: Noteables; there: Noteables }> {
  const worlds = [fixture, other] as const
  const [here, there] = [await buildNoteables(fixture), await buildNoteables(other)]
  const noteables = [here, there] as const
  for (const [at, of] of worlds.entries()) {
    const base = `/projects/${of.made.project.id}`
    const label = { name: `of ${of.made.project.id}`, color: '#ff0000' }
    await post(server.root, 'POST', `${base}/labels`, label)
    const group = await post(server.root, 'POST', `/groups/${of.group.id}/labels`, {
      name: `group ${of.group.id}`,
      color: '#00ff00',
    })
    const [own, foreign] = [noteables[at], noteables[1 - at]]
    const path = worlds[1 - at]?.made.project.path_with_namespace
    if (own === undefined || foreign === undefined) throw new Error('no things')
    for (const kind of kinds) await createDependents(of, own[kind], `${path}#${foreign.Issue.iid}`)
    await writeRest(own, group.id)
  }
  const target = { target_project_id: other.made.project.id, target_issue_iid: there.Issue.iid }
  await post(server.root, 'POST', `${here.Issue.path}/links`, target)
  return { here, there }
}

const filled = [
  'notes',
  'awards',
  'todos',
  'subscriptions',
  'mentions',
  'crossReferences',
  'labelLinks',
  'labelEvents',
  'timeLogs',
  'events',
]

describe('dependents of deleted items', () => {
  let here: Noteables
  let there: Noteables
  beforeEach(async () => {
    ;({ here, there } = await fill())
    for (const table of filled) {
      const rows = await runText<{ n: number }>(
        server.app.db,
        `select count(*) as n from "${table}"`,
      )
      expect([table, Number(rows[0]?.n) > 0]).toEqual([table, true])
    }
    expect(await findInconsistencies()).toEqual([])
  })

  /** The system notes on the kept issue that refer to the other fixture. */
  const systemNotes = async () =>
    (await other.call(there.Issue, 'GET', '/notes?per_page=100')).body.filter(
      ({ system, body }: { system: boolean; body: string }) =>
        system && body.includes(fixture.made.project.path_with_namespace),
    ).length

  const clean = async () => {
    await server.runJobs()
    expect(await findInconsistencies()).toEqual([])
  }

  it('are deleted with an issue, also system notes elsewhere that refer to it', async () => {
    const before = await systemNotes()
    await post(server.root, 'DELETE', here.Issue.path)
    await clean()
    // The mention and the link.
    expect(await systemNotes()).toBe(before - 2)
  })

  it('system notes elsewhere about its branch, commit and merge request are deleted with a project', async () => {
    const { id } = fixture.made.project
    const [moved, closed] = [await fixture.build('Issue'), await other.build('Issue')]
    const path = `${other.made.project.path_with_namespace}#${closed.iid}`
    await post(server.root, 'POST', `${moved.path}/notes`, {
      body: 'x\n/create_merge_request topic',
    })
    const commit = { commit_message: `Fixes ${path}`, branch: 'main' }
    const actions = [{ action: 'create', file_path: 'told.txt', content: 'x' }]
    await server.runJobs()
    await post(server.root, 'POST', `/projects/${id}/repository/commits`, { ...commit, actions })
    await server.runJobs()
    const to = { to_project_id: other.made.project.id }
    const copy = await post(server.root, 'POST', `${moved.path}/move`, to)
    const notesOn = async (iid: number | null) =>
      (
        await other.call(
          { ...closed, path: `/projects/${to.to_project_id}/issues/${iid}` },
          'GET',
          '/notes',
        )
      ).body
    expect(await notesOn(copy.iid)).toHaveLength(5)
    expect(await notesOn(closed.iid)).toHaveLength(1)
    expect(await findInconsistencies()).toEqual([])
    await post(server.root, 'DELETE', `/projects/${id}`)
    await clean()
    expect(await notesOn(copy.iid)).toMatchObject([{ body: 'x' }])
    expect(await notesOn(closed.iid)).toEqual([])
  })

  it('are deleted with a snippet', async () => {
    await post(server.root, 'DELETE', here.Snippet.path)
    await clean()
  })

  it('are deleted with a note', async () => {
    for (const kind of ['Issue', 'MergeRequest', 'Snippet', 'Epic'] as const) {
      const { body } = await fixture.call(here[kind], 'GET', '/notes?per_page=100')
      for (const note of body) {
        if (!note.system) await fixture.call(here[kind], 'DELETE', `/notes/${note.id}`)
      }
    }
    await clean()
  })

  it('are deleted with a project', async () => {
    expect(await systemNotes()).toBeGreaterThan(0)
    await post(server.root, 'DELETE', `/projects/${fixture.made.project.id}`)
    await clean()
    expect(await systemNotes()).toBe(0)
    expect((await other.call(there.Issue, 'GET', '/notes')).status).toBe(200)
  })

  it('are deleted with a group', async () => {
    await post(server.root, 'DELETE', `/groups/${fixture.group.id}`)
    await clean()
  })

  it('are moved to the ghost user with a deleted user, one award of each name', async () => {
    const second = await fixture.member(30)
    await post(second, 'POST', `${here.Issue.path}/award_emoji`, { name: 'thumbsup' })
    for (const { id } of [user, second]) {
      await post(server.root, 'DELETE', `/users/${id}`)
      await clean()
    }
    const { body: issue } = await fixture.call(here.Issue, 'GET', '')
    expect([issue.author.username, issue.assignees, issue.upvotes]).toEqual(['ghost', [], 2])
    for (const kind of ['Issue', 'MergeRequest', 'Snippet', 'Epic', 'Commit'] as const) {
      const { body } = await fixture.call(here[kind], 'GET', '/discussions')
      const authors = body.map((discussion: Json) => discussion.notes[0].author.username)
      expect(authors).toContain('ghost')
    }
    const { body: awards } = await fixture.call(here.Issue, 'GET', '/award_emoji')
    const given = awards.map(({ name, user: { username } }: Json) => [username, name])
    expect(given.filter(([username]: string[]) => username === 'ghost').toSorted()).toEqual([
      ['ghost', 'thumbsdown'],
      ['ghost', 'thumbsup'],
    ])
  })

  it('are deleted with a hard-deleted user', async () => {
    await post(server.root, 'DELETE', `/users/${user.id}?hard_delete=true`)
    await clean()
    for (const kind of ['Issue', 'MergeRequest', 'Snippet', 'Epic'] as const) {
      expect((await fixture.call(here[kind], 'GET', '/notes')).status).toBe(404)
    }
    const { body } = await fixture.call(here.Commit, 'GET', '/discussions')
    expect(body).toHaveLength(1)
  })

  it('are deleted from the items of others with a hard-deleted user', async () => {
    const issue = await fixture.build('Issue')
    await createDependents(fixture, issue, 'nothing')
    await post(server.root, 'PUT', issue.path, { assignee_ids: [user.id] })
    await post(server.root, 'DELETE', `/users/${user.id}?hard_delete=true`)
    await clean()
    const { body } = await fixture.call(issue, 'GET', '')
    expect(body).toMatchObject({ user_notes_count: 3, upvotes: 1, downvotes: 1, assignees: [] })
    expect(body.time_stats.total_time_spent).toBe(3600)
  })
})
