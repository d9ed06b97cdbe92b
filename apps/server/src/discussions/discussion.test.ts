import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../testing/test-server.ts'
import {
  buildNoteableWorld,
  type NoteableWorld,
  type TestNoteable,
} from '../testing/worlds/noteables.ts'

let server: TestServer
let world: NoteableWorld
beforeAll(async () => {
  server = await buildTestServer()
  world = await buildNoteableWorld(server)
})
afterAll(() => server.close())

/** A discussion of a thing, by root unless told. */
async function start(thing: TestNoteable, by?: { token: string }): Promise<Json> {
  const answer = await world.call(thing, 'POST', '/discussions', { body: 'Why?' }, by)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body
}

/** A single comment, as the discussion that it appears as. */
async function comment(thing: TestNoteable): Promise<Json> {
  const { body: note } = await world.call(thing, 'POST', '/notes', { body: 'By the way' })
  const { body: all } = await world.call(thing, 'GET', '/discussions')
  return all.find((discussion: Json) => discussion.notes[0].id === note.id)
}

const resolvable = { resolvable: true, resolved: false, resolved_by: null }

describe.each(['Issue', 'MergeRequest', 'Snippet', 'Epic'] as const)(
  'discussions of: %s',
  (kind) => {
    const build = () => world.build(kind)

    it('are started, shown and listed, oldest first', async () => {
      const thing = await build()
      const discussion = await start(thing)
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
            noteable_id: thing.id,
            noteable_type: kind,
            noteable_iid: thing.iid,
            resolvable: false,
            ...(kind === 'MergeRequest' ? resolvable : {}),
          },
        ],
      })
      expect((await world.call(thing, 'GET', `/discussions/${discussion.id}`)).body).toEqual(
        discussion,
      )
      server.advance(1000)
      const second = await start(thing)
      const page = await world.call(thing, 'GET', '/discussions')
      expect(page.body).toEqual([discussion, second])
      expect(page.headers['x-total']).toBe('2')
      const last = await world.call(thing, 'GET', '/discussions?per_page=1&page=2')
      expect(last.body).toEqual([second])
    })

    it('take replies, which are paged and shown alone', async () => {
      const thing = await build()
      const { id, notes } = await start(thing)
      const input = { body: 'Because', note_id: notes[0].id }
      const { status, body: reply } = await world.call(
        thing,
        'POST',
        `/discussions/${id}/notes`,
        input,
      )
      expect(status).toBe(201)
      expect(reply).toMatchObject({ type: 'DiscussionNote', body: 'Because' })
      const page = await world.call(thing, 'GET', `/discussions/${id}/notes?per_page=1&page=2`)
      expect([page.body, page.headers['x-total']]).toEqual([[reply], '2'])
      const shown = await world.call(thing, 'GET', `/discussions/${id}/notes/${reply.id}`)
      expect(shown.body).toEqual(reply)
      expect((await world.call(thing, 'GET', '/notes')).body).toHaveLength(2)
    })

    it('come of a single comment that is replied to, where the kind allows it', async () => {
      const thing = await build()
      const single = await comment(thing)
      expect([single.individual_note, single.notes[0].type]).toEqual([true, null])
      const path = `/discussions/${single.id}`
      const answer = await world.call(thing, 'POST', `${path}/notes`, { body: 'And yes' })
      const { body: after } = await world.call(thing, 'GET', path)
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

    it('are not made of what the program remarked', async () => {
      const thing = await build()
      const { id, notes } = await comment(thing)
      await server.app.db.run('test.system', { id: notes[0].id }, (db, $) =>
        db.updateTable('notes').set({ system: 1 }).where('id', '=', $('id')),
      )
      const path = `/discussions/${id}/notes`
      expect((await world.call(thing, 'POST', path, { body: 'x' })).status).toBe(400)
      const one = `${path}/${notes[0].id}`
      expect((await world.call(thing, 'PUT', one, { body: 'x' })).status).toBe(403)
      expect((await world.call(thing, 'PUT', one, { resolved: true })).status).toBe(400)
      expect((await world.call(thing, 'DELETE', one)).status).toBe(403)
    })

    it('are changed and deleted note by note', async () => {
      const thing = await build()
      const author = await world.member(10)
      const { id, notes } = await start(thing, author)
      const path = `/discussions/${id}/notes/${notes[0].id}`
      const other = await world.member(30)
      expect((await world.call(thing, 'PUT', path, { body: 'x' }, other)).status).toBe(403)
      expect((await world.call(thing, 'DELETE', path, undefined, other)).status).toBe(403)
      const changed = await world.call(thing, 'PUT', path, { body: 'How?' }, author)
      expect([changed.status, changed.body.body]).toEqual([200, 'How?'])
      expect((await world.call(thing, 'DELETE', path, undefined, author)).status).toBe(204)
      expect((await world.call(thing, 'GET', `/discussions/${id}`)).status).toBe(404)
    })

    it('answer 404 for ids that are of none, or of another thing', async () => {
      const [thing, other] = [await build(), await build()]
      const { id, notes } = await start(other)
      for (const unknown of [id, 'f'.repeat(40), id.toUpperCase(), 'x', '1', '%27']) {
        const path = `/discussions/${unknown}`
        const answer = await world.call(thing, 'GET', path)
        expect([answer.status, answer.body]).toEqual([404, { message: '404 Discussion Not Found' }])
        expect((await world.call(thing, 'GET', `${path}/notes`)).status).toBe(404)
        expect((await world.call(thing, 'POST', `${path}/notes`, { body: 'x' })).status).toBe(404)
        for (const [method, body] of [['GET'], ['PUT', { body: 'x' }], ['DELETE']] as const) {
          const note = await world.call(thing, method, `${path}/notes/${notes[0].id}`, body)
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
      const thing = await build()
      const { id, notes } = await start(thing)
      const answer = await world.call(
        thing,
        'PUT',
        `/discussions/${id}/notes/${notes[0].id}`,
        input,
      )
      expect(answer.status).toBe(400)
      expect(answer.body.message ?? answer.body.error).toMatch(message)
    })

    it('cost a list the same number of queries, however long it is', async () => {
      const thing = await build()
      const queries = async () => {
        await world.call(thing, 'GET', '/discussions')
        const before = server.app.db.stats.queries
        await world.call(thing, 'GET', '/discussions')
        return server.app.db.stats.queries - before
      }
      await start(thing)
      const few = await queries()
      for (let at = 0; at < 5; at += 1) await start(thing, await world.member(10))
      expect(await queries()).toBe(few)
    })
  },
)

describe.each(['Issue', 'Snippet', 'Epic'] as const)('discussions that have no end: %s', (kind) => {
  it('cannot be resolved', async () => {
    const thing = await world.build(kind)
    const { id, notes } = await start(thing)
    const path = `/discussions/${id}/notes/${notes[0].id}`
    for (const resolved of [true, false]) {
      const answer = await world.call(thing, 'PUT', path, { resolved })
      expect(answer.status).toBe(400)
      expect(answer.body.message).toContain('Note is not resolvable')
    }
  })
})
