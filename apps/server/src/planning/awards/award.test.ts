import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

const kinds = ['Issue', 'MergeRequest', 'Snippet', 'Epic'] as const

/** Targets of awards: a new item, or a note on one. */
const awarded = kinds.flatMap((kind) => [
  { name: kind, kind, onNote: false },
  { name: `a note on ${kind}`, kind, onNote: true },
])

async function build(kind: (typeof kinds)[number], onNote: boolean) {
  const built = await fixture.build(kind)
  // Award emoji name epics by their iid.
  const path = kind === 'Epic' ? built.path.replace(/\d+$/, `${built.iid}`) : built.path
  const item = { ...built, path }
  if (!onNote) return { item, base: '/award_emoji', type: kind as string, id: item.id }
  const { body: note } = await fixture.call(item, 'POST', '/notes', { body: 'Hello' })
  return { item, base: `/notes/${note.id}/award_emoji`, type: 'Note', id: note.id }
}

const votesOf = async (item: TestNoteable, table: 'issues' | 'mergeRequests') =>
  server.app.db.first(`test.votes|${table}`, { id: item.id ?? 0 }, (db, $) =>
    db.selectFrom(table).where('id', '=', $('id')).select(['upvotes', 'downvotes']),
  )

describe.each(awarded)('award emoji on: $name', ({ kind, onNote }) => {
  it('creates, lists in order, shows and deletes awards', async () => {
    const { item, base, type, id } = await build(kind, onNote)
    const { status, body: first } = await fixture.call(item, 'POST', base, { name: 'tada' })
    expect(status).toBe(201)
    expect(first).toEqual({
      id: expect.any(Number),
      name: 'tada',
      user: expect.objectContaining({ id: 1, username: 'root' }),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: first.created_at,
      awardable_id: id,
      awardable_type: type,
    })
    const second = await fixture.call(
      item,
      'POST',
      base,
      { name: 'heart' },
      await fixture.member(10),
    )
    const list = await fixture.call(item, 'GET', base)
    expect(list.body).toEqual([first, second.body])
    expect(list.headers['x-total']).toBe('2')
    const page = await fixture.call(item, 'GET', `${base}?per_page=1&page=2`)
    expect(page.body).toEqual([second.body])
    expect((await fixture.call(item, 'GET', `${base}/${first.id}`)).body).toEqual(first)
    expect((await fixture.call(item, 'DELETE', `${base}/${first.id}`)).status).toBe(204)
    expect((await fixture.call(item, 'GET', `${base}/${first.id}`)).status).toBe(404)
    expect((await fixture.call(item, 'DELETE', `${base}/${first.id}`)).status).toBe(404)
    expect((await fixture.call(item, 'POST', base, { name: 'tada' })).status).toBe(201)
  })

  it('returns 404 to a second award with the same name, also concurrently and by an alias', async () => {
    const { item, base } = await build(kind, onNote)
    const names = ['thumbsup', '+1', 'thumbsup', '+1']
    const answers = await Promise.all(
      names.map((name) => fixture.call(item, 'POST', base, { name })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 404, 404, 404])
    const refused = answers.find(({ status }) => status === 404)
    expect(refused?.body.message).toBe(
      '404 Award Emoji {"name":["has already been taken"]} Not Found',
    )
    const { body } = await fixture.call(item, 'GET', base)
    expect(body.map((award: Json) => award.name)).toEqual(['thumbsup'])
    const by = await fixture.member(0)
    expect((await fixture.call(item, 'POST', base, { name: '+1' }, by)).status).toBe(201)
  })

  it.each([
    [{}, 400],
    [{ name: '' }, 400],
    [{ name: null }, 400],
    [{ name: ['tada'] }, 400],
    [{ name: 'a\0' }, 400],
    [{ name: 'no-such-emoji' }, 404],
    [{ name: ':tada:' }, 404],
    [{ name: 'constructor' }, 404],
    [{ name: 'x'.repeat(1000) }, 404],
  ])('POST answers the expected status for %j', async (input, status) => {
    const { item, base } = await build(kind, onNote)
    const answer = await fixture.call(item, 'POST', base, input)
    expect(answer.status).toBe(status)
    if (status === 404) {
      expect(answer.body.message).toBe(
        '404 Award Emoji {"name":["is not a valid emoji name"]} Not Found',
      )
    }
    expect((await fixture.call(item, 'GET', base)).body).toEqual([])
  })

  it('DELETE is for the giver and administrators; others get 401', async () => {
    const { item, base } = await build(kind, onNote)
    const [giver, owner] = [await fixture.member(10), await fixture.member(50)]
    const { body: award } = await fixture.call(item, 'POST', base, { name: 'tada' }, giver)
    const path = `${base}/${award.id}`
    const refused = await fixture.call(item, 'DELETE', path, undefined, owner)
    expect([refused.status, refused.body]).toEqual([401, { message: '401 Unauthorized' }])
    const headers = { 'if-unmodified-since': 'Tue, 01 Jan 2019 00:00:00 GMT' }
    const { token } = giver
    const stale = await server.inject('DELETE', `${item.path}${path}`, { token, headers })
    expect(stale.status).toBe(412)
    expect((await fixture.call(item, 'DELETE', path)).status).toBe(204)
  })

  it('returns 404 for another item or a hidden one', async () => {
    const [one, other] = [await build(kind, onNote), await build(kind, onNote)]
    const { body: award } = await fixture.call(other.item, 'POST', other.base, { name: 'tada' })
    const wrong = await fixture.call(one.item, 'GET', `${one.base}/${award.id}`)
    expect([wrong.status, wrong.body]).toEqual([404, { message: '404 Award Emoji Not Found' }])
    expect((await fixture.call(one.item, 'DELETE', `${one.base}/${award.id}`)).status).toBe(404)
    const unknown = { ...one.item, path: one.item.path.replace(/\d+$/, '999999') }
    for (const [method, body] of [['GET'], ['POST', { name: 'tada' }]] as const) {
      expect((await fixture.call(unknown, method, one.base, body)).status).toBe(404)
    }
    expect((await server.inject('GET', `${one.item.path}${one.base}`)).status).toBe(401)
  })

  it('GET runs the same number of queries for a list of any length', async () => {
    const { item, base } = await build(kind, onNote)
    const queries = async () => {
      await fixture.call(item, 'GET', base)
      const before = server.app.db.stats.queries
      await fixture.call(item, 'GET', base)
      return server.app.db.stats.queries - before
    }
    await fixture.call(item, 'POST', base, { name: 'tada' })
    const few = await queries()
    for (let at = 0; at < 4; at += 1) {
      await fixture.call(item, 'POST', base, { name: 'tada' }, await fixture.member(10))
    }
    expect(await queries()).toBe(few)
  })
})

describe('votes', () => {
  it.each(['issues', 'mergeRequests'] as const)('are counted on the item: %s', async (table) => {
    const item = await fixture.build(table === 'issues' ? 'Issue' : 'MergeRequest')
    const user = await fixture.member(10)
    const give = (name: string, by: { token: string }) =>
      fixture.call(item, 'POST', '/award_emoji', { name }, by)
    const up = await give('thumbsup', server.root)
    await give('+1', user)
    await give('thumbsdown', user)
    await give('tada', user)
    expect(await votesOf(item, table)).toEqual({ upvotes: 2, downvotes: 1 })
    await fixture.call(item, 'DELETE', `/award_emoji/${up.body.id}`)
    expect(await votesOf(item, table)).toEqual({ upvotes: 1, downvotes: 1 })
    const { body: note } = await fixture.call(item, 'POST', '/notes', { body: 'x' })
    await fixture.call(item, 'POST', `/notes/${note.id}/award_emoji`, { name: 'thumbsup' })
    expect(await votesOf(item, table)).toEqual({ upvotes: 1, downvotes: 1 })
  })
})

describe('awarding', () => {
  it('returns 404 to users who may read but not comment, 403 in an archived project', async () => {
    const own = await buildNoteableFixture(server)
    const external = await server.buildUser({ external: true })
    const issue = await own.build('Issue')
    const input = { name: 'tada' }
    const refused = await own.call(issue, 'POST', '/award_emoji', input, external)
    expect([refused.status, refused.body.message]).toEqual([404, '404 Award Emoji Not Found'])
    const { body: award } = await own.call(issue, 'POST', '/award_emoji', input)
    const { token } = server.root
    await server.inject('POST', `/projects/${own.made.project.id}/archive`, { token })
    expect((await own.call(issue, 'POST', '/award_emoji', { name: 'heart' })).status).toBe(403)
    expect((await own.call(issue, 'DELETE', `/award_emoji/${award.id}`)).status).toBe(403)
    expect((await own.call(issue, 'GET', '/award_emoji')).body).toHaveLength(1)
  })

  it('returns 404 for hidden confidential issues and their notes', async () => {
    const outsider = await fixture.member(10)
    const issue = await fixture.build('Issue', { confidential: true })
    const { body: note } = await fixture.call(issue, 'POST', '/notes', { body: 'x' })
    for (const base of ['/award_emoji', `/notes/${note.id}/award_emoji`]) {
      expect((await fixture.call(issue, 'GET', base, undefined, outsider)).status).toBe(404)
      const given = await fixture.call(issue, 'POST', base, { name: 'tada' }, outsider)
      expect(given.status).toBe(404)
    }
  })
})

describe.each(['Issue', 'MergeRequest'] as const)('award emoji on a system note of: %s', (kind) => {
  it('are refused with 404, and there are none', async () => {
    const item = await fixture.build(kind)
    await fixture.call(item, 'PUT', '', { title: 'Another title' })
    const { body: notes } = await fixture.call(item, 'GET', '/notes')
    const note = notes.find(({ system }: Json) => system)
    const base = `/notes/${note.id}/award_emoji`
    const refused = await fixture.call(item, 'POST', base, { name: 'tada' })
    expect([refused.status, refused.body]).toEqual([
      404,
      { message: '404 Award Emoji Awardable cannot be awarded emoji Not Found' },
    ])
    const { status, body } = await fixture.call(item, 'GET', base)
    expect([status, body]).toEqual([200, []])
  })
})
