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

/** Starts a discussion on an item, by root unless given. */
async function start(item: TestNoteable, by?: { token: string }): Promise<Json> {
  const answer = await fixture.call(item, 'POST', '/discussions', { body: 'Why?' }, by)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body
}

/** Writes a single comment and returns its discussion. */
async function comment(item: TestNoteable): Promise<Json> {
  const { body: note } = await fixture.call(item, 'POST', '/notes', { body: 'By the way' })
  const { body: all } = await fixture.call(item, 'GET', '/discussions')
  return all.find((discussion: Json) => discussion.notes[0].id === note.id)
}

describe('GET discussions with note_id', () => {
  it.each(['Issue', 'MergeRequest', 'Snippet', 'Epic'] as const)(
    'returns the page of %s that has the note, also of a reply',
    async (kind) => {
      const item = await fixture.build(kind)
      const threads: Json[] = []
      for (let at = 0; at < 5; at += 1) threads.push(await start(item))
      const { body: all } = await fixture.call(item, 'GET', '/discussions')
      const at = all.findIndex(({ id }: Json) => id === threads[3]?.id)
      const reply = await fixture.call(item, 'POST', `/discussions/${threads[3]?.id}/notes`, {
        body: 'Late',
      })
      for (const id of [threads[3]?.notes[0].id, reply.body.id]) {
        const path = `/discussions?per_page=2&note_id=${id}`
        const { headers, body } = await fixture.call(item, 'GET', path)
        expect(headers['x-page']).toBe(String(Math.floor(at / 2) + 1))
        expect(body.map((each: Json) => each.id)).toContain(threads[3]?.id)
      }
    },
  )

  it('returns 404 for a note of another item', async () => {
    const [item, other] = [await fixture.build('Issue'), await fixture.build('Issue')]
    const discussion = await start(other)
    const path = `/discussions?note_id=${discussion.notes[0].id}`
    expect((await fixture.call(item, 'GET', path)).status).toBe(404)
    expect((await fixture.call(other, 'GET', path)).status).toBe(200)
  })
})

const resolvable = { resolvable: true, resolved: false, resolved_by: null }

describe.each(['Issue', 'MergeRequest', 'Snippet', 'Epic'] as const)(
  'discussions of: %s',
  (kind) => {
    const build = () => fixture.build(kind)

    it('POST starts, GET shows and lists them, oldest first', async () => {
      const item = await build()
      const discussion = await start(item)
      expect(discussion).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{40}$/),
        individual_note: false,
        notes: [
          {
            id: expect.any(Number),
            type: 'DiscussionNote',
            body: 'Why?',
            attachment: null,
            author: expect.objectContaining({ id: 1 }),
            created_at: expect.any(String),
            updated_at: expect.any(String),
            system: false,
            noteable_id: item.id,
            noteable_type: kind,
            noteable_iid: item.iid,
            resolvable: false,
            ...(kind === 'MergeRequest' ? resolvable : {}),
          },
        ],
      })
      expect((await fixture.call(item, 'GET', `/discussions/${discussion.id}`)).body).toEqual(
        discussion,
      )
      server.advance(1000)
      const second = await start(item)
      const page = await fixture.call(item, 'GET', '/discussions')
      expect(page.body).toEqual([discussion, second])
      expect(page.headers['x-total']).toBe('2')
      const last = await fixture.call(item, 'GET', '/discussions?per_page=1&page=2')
      expect(last.body).toEqual([second])
    })

    it('POST notes replies; GET lists the notes in pages and shows each', async () => {
      const item = await build()
      const { id, notes } = await start(item)
      const input = { body: 'Because', note_id: notes[0].id }
      const { status, body: reply } = await fixture.call(
        item,
        'POST',
        `/discussions/${id}/notes`,
        input,
      )
      expect(status).toBe(201)
      expect(reply).toMatchObject({ type: 'DiscussionNote', body: 'Because' })
      const page = await fixture.call(item, 'GET', `/discussions/${id}/notes?per_page=1&page=2`)
      expect([page.body, page.headers['x-total']]).toEqual([[reply], '2'])
      const single = await fixture.call(item, 'GET', `/discussions/${id}/notes/${reply.id}`)
      expect(single.body).toEqual(reply)
      expect((await fixture.call(item, 'GET', '/notes')).body).toHaveLength(2)
    })

    it('a reply turns a single comment into a thread, if the type of item allows it', async () => {
      const item = await build()
      const single = await comment(item)
      expect([single.individual_note, single.notes[0].type]).toEqual([true, null])
      const path = `/discussions/${single.id}`
      const answer = await fixture.call(item, 'POST', `${path}/notes`, { body: 'And yes' })
      const { body: after } = await fixture.call(item, 'GET', path)
      if (kind === 'Epic') {
        expect(answer.status).toBe(400)
        expect(answer.body.message).toContain('Discussion can not be replied to.')
        expect(after).toEqual(single)
        return
      }
      expect(answer.status).toBe(201)
      expect(after.individual_note).toBe(false)
      expect(after.notes.map((note: Json) => note.type)).toEqual([
        'DiscussionNote',
        'DiscussionNote',
      ])
    })

    it('return 400 to replies to a system note, and 403 to its PUT and DELETE', async () => {
      const item = await build()
      const { id, notes } = await comment(item)
      await server.app.db.run('test.system', { id: notes[0].id }, (db, $) =>
        db.updateTable('notes').set({ system: 1 }).where('id', '=', $('id')),
      )
      const path = `/discussions/${id}/notes`
      expect((await fixture.call(item, 'POST', path, { body: 'x' })).status).toBe(400)
      const one = `${path}/${notes[0].id}`
      expect((await fixture.call(item, 'PUT', one, { body: 'x' })).status).toBe(403)
      expect((await fixture.call(item, 'PUT', one, { resolved: true })).status).toBe(400)
      expect((await fixture.call(item, 'DELETE', one)).status).toBe(403)
    })

    it('PUT and DELETE change single notes', async () => {
      const item = await build()
      const author = await fixture.member(10)
      const { id, notes } = await start(item, author)
      const path = `/discussions/${id}/notes/${notes[0].id}`
      const other = await fixture.member(30)
      expect((await fixture.call(item, 'PUT', path, { body: 'x' }, other)).status).toBe(403)
      expect((await fixture.call(item, 'DELETE', path, undefined, other)).status).toBe(403)
      const changed = await fixture.call(item, 'PUT', path, { body: 'How?' }, author)
      expect([changed.status, changed.body.body]).toEqual([200, 'How?'])
      expect((await fixture.call(item, 'DELETE', path, undefined, author)).status).toBe(204)
      expect((await fixture.call(item, 'GET', `/discussions/${id}`)).status).toBe(404)
    })

    it('return 404 for unknown ids and those of another item', async () => {
      const [item, other] = [await build(), await build()]
      const { id, notes } = await start(other)
      for (const unknown of [id, 'f'.repeat(40), id.toUpperCase(), 'x', '1', '%27']) {
        const path = `/discussions/${unknown}`
        const answer = await fixture.call(item, 'GET', path)
        expect([answer.status, answer.body]).toEqual([404, { message: '404 Discussion Not Found' }])
        expect((await fixture.call(item, 'GET', `${path}/notes`)).status).toBe(404)
        expect((await fixture.call(item, 'POST', `${path}/notes`, { body: 'x' })).status).toBe(404)
        for (const [method, body] of [['GET'], ['PUT', { body: 'x' }], ['DELETE']] as const) {
          const note = await fixture.call(item, method, `${path}/notes/${notes[0].id}`, body)
          expect([note.status, note.body]).toEqual([404, { message: '404 Note Not Found' }])
        }
      }
    })

    it.each<[object, RegExp]>([
      [{}, /body, resolved are missing, exactly one parameter must be provided/],
      [{ body: 'x', resolved: true }, /body, resolved are mutually exclusive/],
      [{ body: ' ' }, /can't be blank/],
      [{ resolved: 'perhaps' }, /resolved is invalid/],
    ])('answer 400 for a change to %j', async (input, message) => {
      const item = await build()
      const { id, notes } = await start(item)
      const answer = await fixture.call(
        item,
        'PUT',
        `/discussions/${id}/notes/${notes[0].id}`,
        input,
      )
      expect(answer.status).toBe(400)
      expect(answer.body.message ?? answer.body.error).toMatch(message)
    })

    it('GET runs the same number of queries for a list of any length', async () => {
      const item = await build()
      const queries = async () => {
        await fixture.call(item, 'GET', '/discussions')
        const before = server.app.db.stats.queries
        await fixture.call(item, 'GET', '/discussions')
        return server.app.db.stats.queries - before
      }
      await start(item)
      const few = await queries()
      for (let at = 0; at < 5; at += 1) await start(item, await fixture.member(10))
      expect(await queries()).toBe(few)
    })
  },
)

describe.each(['Issue', 'Snippet', 'Epic'] as const)(
  'discussions that cannot be resolved: %s',
  (kind) => {
    it('PUT of a note with `resolved` returns 400', async () => {
      const item = await fixture.build(kind)
      const { id, notes } = await start(item)
      const path = `/discussions/${id}/notes/${notes[0].id}`
      for (const resolved of [true, false]) {
        const answer = await fixture.call(item, 'PUT', path, { resolved })
        expect(answer.status).toBe(400)
        expect(answer.body.message).toContain('Note is not resolvable')
      }
    })
  },
)
