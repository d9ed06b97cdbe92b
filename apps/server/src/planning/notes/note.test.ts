import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildNoteableFixture, type NoteableFixture } from '../../testing/fixtures/noteables.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: NoteableFixture
beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildNoteableFixture(server)
})
afterAll(() => server.close())

const bodiesOf = (answer: { body: Json }) => answer.body.map((note: Json) => note.body)

describe.each(['Issue', 'MergeRequest', 'Snippet', 'Epic'] as const)('notes on: %s', (kind) => {
  const build = () => fixture.build(kind)

  it('POST creates and GET shows the whole note', async () => {
    const item = await build()
    const { status, body: note } = await fixture.call(item, 'POST', '/notes', { body: 'Hello' })
    expect(status).toBe(201)
    expect(note).toEqual({
      id: expect.any(Number),
      type: null,
      body: 'Hello',
      attachment: null,
      author: expect.objectContaining({ id: 1, username: 'root' }),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: note.created_at,
      system: false,
      noteable_id: item.id,
      noteable_type: kind,
      noteable_iid: item.iid,
      resolvable: false,
    })
    const single = await fixture.call(item, 'GET', `/notes/${note.id}`)
    expect([single.status, single.body]).toEqual([200, note])
    expect((await fixture.call(item, 'GET', '/notes')).body).toEqual([note])
  })

  it('GET lists newest first, or in the requested order', async () => {
    const item = await build()
    const ids: number[] = []
    for (const body of ['one', 'two', 'three']) {
      server.advance(1000)
      ids.push((await fixture.call(item, 'POST', '/notes', { body })).body.id)
    }
    server.advance(1000)
    await fixture.call(item, 'PUT', `/notes/${ids[0]}`, { body: 'one!' })
    const list = async (query: string) =>
      bodiesOf(await fixture.call(item, 'GET', `/notes${query}`))
    expect(await list('')).toEqual(['three', 'two', 'one!'])
    expect(await list('?sort=asc')).toEqual(['one!', 'two', 'three'])
    expect(await list('?order_by=updated_at')).toEqual(['one!', 'three', 'two'])
    expect(await list('?order_by=updated_at&sort=asc')).toEqual(['two', 'three', 'one!'])
    expect(await list('?activity_filter=only_comments')).toEqual(['three', 'two', 'one!'])
    expect(await list('?activity_filter=only_activity')).toEqual([])
    const page = await fixture.call(item, 'GET', '/notes?per_page=2&page=2')
    expect(bodiesOf(page)).toEqual(['one!'])
    expect(page.headers['x-total']).toBe('3')
    for (const query of ['?sort=up', '?order_by=id', '?page=0']) {
      expect((await fixture.call(item, 'GET', `/notes${query}`)).status).toBe(400)
    }
  })

  it.each<[string, object, RegExp]>([
    ['nothing', {}, /body is missing/],
    ['an empty text', { body: '' }, /body is empty/],
    ['null', { body: null }, /body is invalid/],
    ['blanks', { body: ' \n ' }, /can't be blank/],
    ['too long a text', { body: 'x'.repeat(1_000_001) }, /maximum is 1000000/],
    ['a list', { body: ['x'] }, /body is invalid/],
    ['an object', { body: { a: 1 } }, /body is invalid/],
    ['a NUL byte', { body: 'a\0' }, /body is invalid/],
    ['no timestamp', { body: 'x', created_at: 'soon' }, /created_at is invalid/],
  ])('answer 400 to %s', async (_, input, message) => {
    const item = await build()
    const { body: note } = await fixture.call(item, 'POST', '/notes', { body: 'Stays' })
    const answers = [await fixture.call(item, 'POST', '/notes', input)]
    if (!('created_at' in input)) {
      answers.push(await fixture.call(item, 'PUT', `/notes/${note.id}`, input))
    }
    for (const answer of answers) {
      expect(answer.status).toBe(400)
      expect(answer.body.error ?? answer.body.message).toMatch(message)
    }
    expect(bodiesOf(await fixture.call(item, 'GET', '/notes'))).toEqual(['Stays'])
  })

  it('return 404 for an unknown item or note', async () => {
    const [item, other] = [await build(), await build()]
    const { body: note } = await fixture.call(other, 'POST', '/notes', { body: 'x' })
    for (const id of [note.id, 999_999]) {
      for (const [method, body] of [['GET'], ['PUT', { body: 'y' }], ['DELETE']] as const) {
        const answer = await fixture.call(item, method, `/notes/${id}`, body)
        expect([answer.status, answer.body]).toEqual([404, { message: '404 Note Not Found' }])
      }
    }
    const unknown = { ...item, path: item.path.replace(/\d+$/, '999999') }
    for (const [method, rest, body] of [
      ['GET', '/notes'],
      ['GET', `/notes/${note.id}`],
      ['POST', '/notes', { body: 'x' }],
      ['PUT', `/notes/${note.id}`, { body: 'x' }],
      ['DELETE', `/notes/${note.id}`],
    ] as const) {
      expect((await fixture.call(unknown, method, rest, body)).status).toBe(404)
    }
    expect((await fixture.call(item, 'GET', '/notes/x')).status).toBe(400)
  })

  it('PUT and DELETE are for the author and for maintainers', async () => {
    const item = await build()
    const [author, guest, below, moderator] = await Promise.all(
      [0, 10, 30, 40].map((level) => fixture.member(level)),
    )
    if (!author || !guest || !below || !moderator) throw new Error('nobody')
    const { body: note } = await fixture.call(item, 'POST', '/notes', { body: 'Mine' }, author)
    const path = `/notes/${note.id}`
    for (const by of [guest, below]) {
      expect((await fixture.call(item, 'PUT', path, { body: 'Ours' }, by)).status).toBe(403)
      expect((await fixture.call(item, 'DELETE', path, undefined, by)).status).toBe(403)
    }
    server.advance(1000)
    for (const by of [author, moderator]) {
      const changed = await fixture.call(item, 'PUT', path, { body: `By ${by.username}` }, by)
      expect([changed.status, changed.body.body]).toEqual([200, `By ${by.username}`])
      expect(changed.body.author.id).toBe(author.id)
      expect(changed.body.updated_at > changed.body.created_at).toBe(true)
    }
    const old = { 'if-unmodified-since': 'Tue, 01 Jan 2019 00:00:00 GMT' }
    const { token } = moderator
    const stale = await server.inject('DELETE', `${item.path}${path}`, { token, headers: old })
    expect(stale.status).toBe(412)
    const answers = await Promise.all(
      [author, moderator].map((by) => fixture.call(item, 'DELETE', path, undefined, by)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404])
  })

  it('POST accepts `created_at` from administrators and owners only', async () => {
    const item = await build()
    const [owner, maintainer] = [await fixture.member(50), await fixture.member(40)]
    const at = '2020-02-03T04:05:06.000Z'
    const input = { body: 'Old', created_at: at }
    for (const by of [server.root, owner]) {
      const { body } = await fixture.call(item, 'POST', '/notes', input, by)
      expect([body.created_at, body.updated_at]).toEqual([at, at])
    }
    const { status, body } = await fixture.call(item, 'POST', '/notes', input, maintainer)
    expect(status).toBe(201)
    expect(body.created_at > at).toBe(true)
  })

  it('PUT and DELETE return 403 for system notes', async () => {
    const item = await build()
    const { body: note } = await fixture.call(item, 'POST', '/notes', { body: 'closed' })
    await server.app.db.run('test.system', { id: note.id }, (db, $) =>
      db.updateTable('notes').set({ system: 1 }).where('id', '=', $('id')),
    )
    expect((await fixture.call(item, 'GET', '/notes')).body).toMatchObject([{ system: true }])
    const path = `/notes/${note.id}`
    expect((await fixture.call(item, 'PUT', path, { body: 'x' })).status).toBe(403)
    expect((await fixture.call(item, 'DELETE', path)).status).toBe(403)
  })

  it('GET runs the same number of queries for a list of any length', async () => {
    const item = await build()
    const queries = async () => {
      await fixture.call(item, 'GET', '/notes')
      const before = server.app.db.stats.queries
      await fixture.call(item, 'GET', '/notes')
      return server.app.db.stats.queries - before
    }
    await fixture.call(item, 'POST', '/notes', { body: 'x' })
    const few = await queries()
    for (let at = 0; at < 5; at += 1) {
      await fixture.call(item, 'POST', '/notes', { body: 'x' }, await fixture.member(10))
    }
    expect(await queries()).toBe(few)
  })
})

describe('hidden notes', () => {
  it('are those of confidential issues, private snippets, and private projects and groups', async () => {
    const outsider = await fixture.member(0)
    const hidden = await buildNoteableFixture(server, { visibility: 'private' })
    const noteables = [
      await fixture.build('Issue', { confidential: true }),
      await fixture.build('Snippet', { visibility: 'private' }),
      await hidden.build('Issue'),
      await hidden.build('MergeRequest'),
      await hidden.build('Snippet'),
      await hidden.build('Epic'),
    ]
    for (const item of noteables) {
      const { body: note } = await fixture.call(item, 'POST', '/notes', { body: 'Secret' })
      for (const [method, rest, body] of [
        ['GET', '/notes'],
        ['GET', `/notes/${note.id}`],
        ['POST', '/notes', { body: 'x' }],
        ['PUT', `/notes/${note.id}`, { body: 'x' }],
        ['DELETE', `/notes/${note.id}`],
        ['GET', '/discussions'],
        ['POST', '/discussions', { body: 'x' }],
      ] as const) {
        const answer = await fixture.call(item, method, rest, body, outsider)
        expect([item.path, method, rest, answer.status]).toEqual([item.path, method, rest, 404])
      }
      expect((await server.inject('GET', `${item.path}/notes`)).status).toBe(401)
    }
  })

  it('are shown to the author of a confidential issue', async () => {
    const author = await fixture.member(0)
    const issue = await fixture.build('Issue', { confidential: true, by: author })
    await fixture.call(issue, 'POST', '/notes', { body: 'Secret' })
    expect((await fixture.call(issue, 'GET', '/notes', undefined, author)).body).toHaveLength(1)
  })

  it('need a token, also in a public project', async () => {
    for (const kind of ['Issue', 'MergeRequest', 'Snippet', 'Epic'] as const) {
      const item = await fixture.build(kind)
      expect((await server.inject('GET', `${item.path}/notes`)).status).toBe(401)
      const input = { body: { body: 'x' } }
      expect((await server.inject('POST', `${item.path}/notes`, input)).status).toBe(401)
    }
  })
})

describe('a locked discussion', () => {
  it.each(['Issue', 'MergeRequest'] as const)('accepts notes of members only: %s', async (kind) => {
    const item = await fixture.build(kind)
    const [visitor, guest] = [await fixture.member(0), await fixture.member(10)]
    const { body: note } = await fixture.call(item, 'POST', '/notes', { body: 'Before' }, visitor)
    const table = kind === 'Issue' ? 'issues' : 'mergeRequests'
    await server.app.db.run(`test.lock|${table}`, { id: item.id ?? 0 }, (db, $) =>
      db.updateTable(table).set({ discussionLocked: 1 }).where('id', '=', $('id')),
    )
    for (const [method, rest, body] of [
      ['POST', '/notes', { body: 'x' }],
      ['PUT', `/notes/${note.id}`, { body: 'x' }],
      ['DELETE', `/notes/${note.id}`],
      ['POST', '/discussions', { body: 'x' }],
    ] as const) {
      expect((await fixture.call(item, method, rest, body, visitor)).status).toBe(403)
    }
    expect((await fixture.call(item, 'GET', '/notes', undefined, visitor)).status).toBe(200)
    const answer = await fixture.call(item, 'POST', '/notes', { body: 'After' }, guest)
    expect(answer.status).toBe(201)
  })
})

describe('an archived project', () => {
  it('returns 403 to notes, also of its owner', async () => {
    const own = await buildNoteableFixture(server)
    for (const kind of ['Issue', 'MergeRequest', 'Snippet'] as const) {
      const item = await own.build(kind)
      const { body: note } = await own.call(item, 'POST', '/notes', { body: 'Before' })
      const base = `/projects/${own.made.project.id}`
      await server.inject('POST', `${base}/archive`, { token: server.root.token })
      for (const [method, rest, body] of [
        ['POST', '/notes', { body: 'x' }],
        ['PUT', `/notes/${note.id}`, { body: 'x' }],
        ['DELETE', `/notes/${note.id}`],
        ['POST', '/discussions', { body: 'x' }],
      ] as const) {
        expect((await own.call(item, method, rest, body)).status).toBe(403)
      }
      expect((await own.call(item, 'GET', '/notes')).body).toHaveLength(1)
      await server.inject('POST', `${base}/unarchive`, { token: server.root.token })
    }
  })
})

describe('notes on epics', () => {
  it('are also found by the iid of the epic, and return 403 in a lower tier', async () => {
    const epic = await fixture.build('Epic')
    await fixture.call(epic, 'POST', '/notes', { body: 'x' })
    const byNumber = { ...epic, path: epic.path.replace(/\d+$/, String(epic.iid)) }
    expect((await fixture.call(byNumber, 'GET', '/notes')).body).toHaveLength(1)
    const plain = await buildTestServer({ tier: 'community' })
    try {
      const input = { token: plain.root.token }
      expect((await plain.inject('GET', '/groups/1/epics/1/notes', input)).status).toBe(403)
    } finally {
      await plain.close()
    }
  })
})
