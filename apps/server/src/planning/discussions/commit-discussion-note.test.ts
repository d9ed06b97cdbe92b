import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DiscussionCalls, discussionsOf } from '../../testing/clients/discussions.ts'
import {
  buildCommentedProject,
  type CommentedProject,
} from '../../testing/git/commented-project.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

type User = Awaited<ReturnType<TestServer['buildUser']>>

let server: TestServer
let made: CommentedProject
let token: string
let pathOf: DiscussionCalls['pathOf']
let call: DiscussionCalls['call']
let start: DiscussionCalls['start']
let comment: DiscussionCalls['comment']
beforeAll(async () => {
  server = await buildTestServer()
  made = await buildCommentedProject(server, { visibility: 'public' })
  token = server.root.token
  ;({ pathOf, call, start, comment } = discussionsOf(server, made))
})
afterAll(() => server.close())

describe('…/discussions/:discussion_id/notes', () => {
  it('POST replies in a thread; GET lists the notes in pages', async () => {
    const { id, notes } = await start()
    const reply = await call('POST', `/${id}/notes`, { body: 'Because', note_id: notes[0].id })
    expect(reply.status).toBe(201)
    expect(reply.body).toMatchObject({ body: 'Because', type: 'DiscussionNote' })
    expect((await call('GET', `/${id}`)).body.notes).toEqual([notes[0], reply.body])
    const page = await call('GET', `/${id}/notes?per_page=1&page=2`)
    expect(page.body).toEqual([reply.body])
    expect(page.headers['x-total']).toBe('2')
    expect((await call('GET', `/${id}/notes/${reply.body.id}`)).body).toEqual(reply.body)
  })

  it('POST returns 400 for a reply to a single comment, 201 for a reply to a diff note', async () => {
    const single = await comment()
    const answer = await call('POST', `/${single.id}/notes`, { body: 'x' })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain('Discussion can not be replied to.')
    const placed = await comment({ path: 'a.txt', line: 15 })
    expect((await call('POST', `/${placed.id}/notes`, { body: 'x' })).status).toBe(201)
  })

  it('PUT and DELETE are for the author and maintainers', async () => {
    const [author, other, developer, maintainer] = (await Promise.all(
      [0, 0, 30, 40].map(async (level): Promise<User> => {
        const user = await server.buildUser()
        if (level > 0) await server.addMember(`projects/${made.project.id}`, user.id, level)
        return user
      }),
    )) as [User, User, User, User]
    const { id, notes } = await start({}, author)
    const path = `/${id}/notes/${notes[0].id}`
    for (const by of [other, developer]) {
      expect((await call('PUT', path, { body: 'Mine' }, by)).status).toBe(403)
      expect((await call('DELETE', path, undefined, by)).status).toBe(403)
    }
    expect((await call('GET', path)).body.body).toBe('Why?')
    server.advance(1000)
    const changed = await call('PUT', path, { body: 'How?' }, author)
    expect(changed.body).toMatchObject({ body: 'How?', author: { id: author.id } })
    expect(changed.body.updated_at > changed.body.created_at).toBe(true)
    const again = await call('PUT', path, { body: 'What?' }, maintainer)
    expect(again.body).toMatchObject({ body: 'What?', author: { id: author.id } })
    expect((await call('DELETE', path, undefined, maintainer)).status).toBe(204)
    expect((await call('GET', `/${id}`)).status).toBe(404)
    const own = await start({}, author)
    const rest = `/${own.id}/notes/${own.notes[0].id}`
    expect((await call('DELETE', rest, undefined, author)).status).toBe(204)
    expect((await call('DELETE', rest, undefined, author)).status).toBe(404)
  })

  it('DELETE succeeds once for two concurrent calls', async () => {
    const { id, notes } = await start()
    const path = `/${id}/notes/${notes[0].id}`
    const answers = await Promise.all([call('DELETE', path), call('DELETE', path)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404])
  })

  it('DELETE of the first note keeps the thread', async () => {
    const { id, notes } = await start()
    const { body: reply } = await call('POST', `/${id}/notes`, { body: 'Stays' })
    await call('DELETE', `/${id}/notes/${notes[0].id}`)
    expect((await call('GET', `/${id}`)).body.notes).toEqual([reply])
    expect((await call('POST', `/${id}/notes`, { body: 'And on' })).status).toBe(201)
  })

  it.each<[object, RegExp]>([
    [{}, /body, resolved are missing/],
    [{ body: 'x', resolved: true }, /mutually exclusive/],
    [{ resolved: true }, /Note is not resolvable/],
    [{ resolved: false }, /Note is not resolvable/],
    [{ body: '' }, /can't be blank/],
    [{ body: null }, /can't be blank/],
    [{ body: ' ' }, /can't be blank/],
    [{ body: 'x'.repeat(1_000_001) }, /maximum is 1000000/],
    [{ body: '\ud800' }, /body is invalid/],
  ])('answers 400 for a change to %j', async (body, message) => {
    const { id, notes } = await start()
    const answer = await call('PUT', `/${id}/notes/${notes[0].id}`, body)
    expect(answer.status).toBe(400)
    expect(answer.body.message ?? answer.body.error).toMatch(message)
    expect((await call('GET', `/${id}/notes/${notes[0].id}`)).body.body).toBe('Why?')
  })

  it('DELETE returns 412 if the note was changed since', async () => {
    const { id, notes } = await start()
    const headers = { 'if-unmodified-since': 'Tue, 01 Jan 2019 00:00:00 GMT' }
    const path = pathOf(`/${id}/notes/${notes[0].id}`)
    expect((await server.inject('DELETE', path, { token, headers })).status).toBe(412)
    expect((await call('GET', `/${id}`)).status).toBe(200)
  })

  it('returns 403 to writes in an archived project', async () => {
    const own = await buildCommentedProject(server)
    const path = discussionsOf(server, own).pathOf()
    const { body } = await server.inject('POST', path, { token, body: { body: 'x' } })
    await server.inject('POST', `/projects/${own.project.id}/archive`, { token })
    const note = `${path}/${body.id}/notes/${body.notes[0].id}`
    for (const [method, at] of [
      ['POST', path],
      ['POST', `${path}/${body.id}/notes`],
      ['PUT', note],
      ['DELETE', note],
    ] as const) {
      const input = method === 'DELETE' ? {} : { body: { body: 'y' } }
      expect((await server.inject(method, at, { token, ...input })).status).toBe(403)
    }
    expect((await server.inject('GET', path, { token })).body).toHaveLength(1)
  })

  it('PUT and DELETE return 403 for system notes', async () => {
    const { id, notes } = await start()
    await server.app.db.run('test.system', { id: notes[0].id }, (db, $) =>
      db.updateTable('notes').set({ system: 1 }).where('id', '=', $('id')),
    )
    const path = `/${id}/notes/${notes[0].id}`
    expect((await call('PUT', path, { body: 'x' })).status).toBe(403)
    expect((await call('DELETE', path)).status).toBe(403)
    expect((await call('POST', `/${id}/notes`, { body: 'x' })).status).toBe(400)
  })
})
