import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HookFixture, startHookFixture } from '../../testing/fixtures/hook-fixture.ts'
import {
  buildNoteableFixture,
  type NoteableFixture,
  type TestNoteable,
} from '../../testing/fixtures/noteables.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: NoteableFixture
beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildNoteableFixture(server)
})
afterAll(() => server.close())

const comment = async (item: TestNoteable, body: string, by?: { token: string }) => {
  const answer = await fixture.call(item, 'POST', '/notes', { body }, by)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body
}

const todosOf = async ({ token }: { token: string }): Promise<Json[]> =>
  (await server.inject('GET', '/todos', { token })).body

describe('`user_notes_count`', () => {
  const tables = { Issue: 'issues', MergeRequest: 'mergeRequests', Epic: 'epics' } as const

  const read = (item: TestNoteable, table: (typeof tables)[keyof typeof tables]) =>
    server.app.db.first(`test.count|${table}`, { id: item.id ?? 0 }, (db, $) =>
      db.selectFrom(table).where('id', '=', $('id')).select(['userNotesCount', 'updatedAt']),
    )

  it.each(['Issue', 'MergeRequest', 'Epic'] as const)('counts comments: %s', async (kind) => {
    const item = await fixture.build(kind)
    const table = tables[kind]
    const before = await read(item, table)
    server.advance(5000)
    const notes = await Promise.all([1, 2, 3, 4].map((at) => comment(item, `Comment ${at}`)))
    await fixture.call(item, 'POST', '/discussions', { body: 'Thread' })
    const after = await read(item, table)
    expect(after?.userNotesCount).toBe(5)
    expect((after?.updatedAt ?? 0) - (before?.updatedAt ?? 0)).toBeGreaterThanOrEqual(5000)
    const path = `/notes/${notes[0].id}`
    await Promise.all([1, 2].map(() => fixture.call(item, 'DELETE', path)))
    expect((await read(item, table))?.userNotesCount).toBe(4)
    await server.app.db.run('test.systems', { id: item.id ?? 0 }, (db, $) =>
      db.updateTable('notes').set({ system: 1 }).where('noteableId', '=', $('id')),
    )
    const old = await fixture.call(item, 'POST', '/notes', {
      body: 'x',
      created_at: '2001-01-01',
    })
    expect(old.status).toBe(201)
    expect((await read(item, table))?.updatedAt).toBeGreaterThanOrEqual(after?.updatedAt ?? 0)
  })

  it('does not count system notes', async () => {
    const issue = await fixture.build('Issue')
    await fixture.call(issue, 'PUT', '', { state_event: 'close' })
    const { body: notes } = await fixture.call(issue, 'GET', '/notes')
    expect(notes).toMatchObject([{ system: true, body: 'closed' }])
    expect((await fixture.call(issue, 'GET', '')).body.user_notes_count).toBe(0)
  })
})

describe('the event of a note', () => {
  it('contains the note, on all items except epics', async () => {
    const author = await fixture.member(30)
    for (const kind of ['Issue', 'MergeRequest', 'Snippet', 'Epic'] as const) {
      const item = await fixture.build(kind)
      await comment(item, `On ${kind}`, author)
      await fixture.call(item, 'POST', '/discussions', { body: `Thread on ${kind}` }, author)
    }
    const { body } = await server.inject('GET', '/events', { token: author.token })
    const actual = body.map((event: Json) => [
      event.action_name,
      event.target_type,
      event.note?.body,
    ])
    const each = (kind: string) => [
      ['commented on', 'DiscussionNote', `Thread on ${kind}`],
      ['commented on', 'Note', `On ${kind}`],
    ]
    expect(actual.filter(([, , text]: Json[]) => text !== undefined)).toEqual([
      ...each('Snippet'),
      ...each('MergeRequest'),
      ...each('Issue'),
    ])
  })

  it('is not written again by an update, and is kept when the note is deleted', async () => {
    const author = await fixture.member(30)
    const issue = await fixture.build('Issue')
    const { id } = await comment(issue, 'Once', author)
    await fixture.call(issue, 'PUT', `/notes/${id}`, { body: 'Twice' }, author)
    const events = async () => {
      const query = 'action=commented'
      return (await server.inject('GET', '/events', { token: author.token, query })).body
    }
    expect(await events()).toMatchObject([{ target_id: id, note: { body: 'Twice' } }])
    await fixture.call(issue, 'DELETE', `/notes/${id}`, undefined, author)
    expect(await events()).toMatchObject([{ target_type: 'Note', target_id: null }])
  })
})

describe('todos', () => {
  it('of the user who comments are marked as done', async () => {
    const user = await fixture.member(10)
    const issue = await fixture.build('Issue')
    await fixture.call(issue, 'POST', '/todo', undefined, user)
    expect(await todosOf(user)).toHaveLength(1)
    await comment(issue, 'Someone else')
    expect(await todosOf(user)).toHaveLength(1)
    await comment(issue, 'Done', user)
    expect(await todosOf(user)).toEqual([])
  })

  it('are added for mentioned users; an update adds them for newly mentioned users', async () => {
    const [ada, bob] = [await fixture.member(10), await fixture.member(10)]
    const issue = await fixture.build('Issue')
    const { id } = await comment(issue, `Ask @${ada.username}`)
    const [todo] = await todosOf(ada)
    expect(todo).toMatchObject({ action_name: 'mentioned', target: { id: issue.id } })
    expect(todo.target_url).toContain(`#note_${id}`)
    const { token } = ada
    await server.inject('POST', `/todos/${todo.id}/mark_as_done`, { token })
    const input = { body: `Ask @${ada.username} and @${bob.username}` }
    await fixture.call(issue, 'PUT', `/notes/${id}`, input)
    expect([(await todosOf(ada)).length, (await todosOf(bob)).length]).toEqual([0, 1])
    await fixture.call(issue, 'DELETE', `/notes/${id}`)
    expect(await todosOf(bob)).toEqual([])
  })
})

describe('quick actions in a note', () => {
  const stateOf = async (issue: TestNoteable) => (await fixture.call(issue, 'GET', '')).body.state

  it('are executed and removed from the text', async () => {
    const issue = await fixture.build('Issue')
    const note = await comment(issue, 'That was it.\n\n/close')
    expect(note.body.trim()).toBe('That was it.')
    expect(await stateOf(issue)).toBe('closed')
    const { body } = await fixture.call(issue, 'GET', '/notes?sort=asc')
    expect(body.map((one: Json) => [one.system, one.body.trim()])).toEqual([
      [true, 'closed'],
      [false, 'That was it.'],
    ])
  })

  it('without other text return 400 and write no note, but are executed', async () => {
    const issue = await fixture.build('Issue')
    for (const [rest, state] of [
      ['/notes', 'closed'],
      ['/discussions', 'opened'],
    ] as const) {
      const command = state === 'closed' ? '/close' : '/reopen'
      const answer = await fixture.call(issue, 'POST', rest, { body: command })
      expect([answer.status, answer.body.message]).toEqual([
        400,
        '400 (Bad request) "Note {"commands_only":["Commands applied"]}" not given',
      ])
      expect(await stateOf(issue)).toBe(state)
    }
    const { body } = await fixture.call(issue, 'GET', '')
    expect(body.user_notes_count).toBe(0)
  })

  it('do nothing for callers without the permission', async () => {
    const issue = await fixture.build('Issue')
    const guest = await fixture.member(10)
    const note = await comment(issue, 'Please\n/close', guest)
    expect(note.body.trim()).toBe('Please')
    const answer = await fixture.call(issue, 'POST', '/notes', { body: '/close' }, guest)
    expect(answer.status).toBe(400)
    expect(await stateOf(issue)).toBe('opened')
  })
})

describe('an item that is deleted', () => {
  it('accepts no notes and awards, also concurrently', async () => {
    const issue = await fixture.build('Issue')
    const answers = await Promise.all([
      fixture.call(issue, 'DELETE', ''),
      fixture.call(issue, 'POST', '/notes', { body: 'x' }),
      fixture.call(issue, 'POST', '/award_emoji', { name: 'tada' }),
    ])
    for (const { status } of answers) expect([201, 204, 404]).toContain(status)
    for (const table of ['notes', 'awards'] as const) {
      const column = table === 'notes' ? 'noteableId' : 'targetId'
      const rows = await server.app.db.all(`test.left|${table}`, { id: issue.id ?? 0 }, (db, $) =>
        db
          .selectFrom(table)
          .where(column as never, '=', $('id') as never)
          .select('id'),
      )
      expect(rows).toEqual([])
    }
  })
})

describe('hooks', () => {
  let hooks: HookFixture
  beforeAll(async () => {
    hooks = await startHookFixture()
  })
  afterAll(() => hooks.close())

  it('deliver notes, on confidential issues with a separate event type', async () => {
    const { project, hook } = await hooks.buildProject()
    const none = { push_events: false, issues_events: false, confidential_issues_events: false }
    await hook({ ...none, note_events: true, confidential_note_events: false })
    const token = hooks.server.root.token
    const base = `/projects/${project.id}/issues`
    const write = async (confidential: boolean, body: string) => {
      const input = { title: 'An issue', confidential }
      const { body: issue } = await hooks.server.inject('POST', base, { token, body: input })
      await hooks.server.inject('POST', `${base}/${issue.iid}/notes`, { token, body: { body } })
    }
    await write(false, 'Open')
    await write(true, 'Secret')
    const actual = await hooks.delivered()
    expect(actual.map((body) => body.object_attributes.note)).toEqual(['Open'])
    await hook({ ...none, note_events: false, confidential_note_events: true })
    await write(true, 'Secret again')
    expect((await hooks.delivered()).map((body) => body.object_attributes.note)).toEqual([
      'Secret again',
    ])
  })
})
