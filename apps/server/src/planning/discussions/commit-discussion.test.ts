import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DiscussionCalls, discussionsOf } from '../../testing/clients/discussions.ts'
import {
  buildCommentedProject,
  type CommentedProject,
} from '../../testing/git/commented-project.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

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

describe('POST /projects/:id/repository/commits/:sha/discussions', () => {
  it('returns 201 with the whole discussion', async () => {
    const ada = await server.buildUser()
    const discussion = await start({}, ada)
    expect(discussion).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{40}$/),
      individual_note: false,
      notes: [
        {
          id: expect.any(Number),
          type: 'DiscussionNote',
          body: 'Why?',
          attachment: null,
          author: {
            id: ada.id,
            name: ada.name,
            username: ada.username,
            state: 'active',
            avatar_url: null,
            web_url: expect.any(String),
          },
          created_at: expect.stringMatching(/Z$/),
          updated_at: discussion.notes[0].created_at,
          system: false,
          noteable_id: null,
          noteable_type: 'Commit',
          noteable_iid: null,
          commit_id: made.second,
          resolvable: false,
        },
      ],
    })
    expect((await call('GET', `/${discussion.id}`)).body).toEqual(discussion)
  })

  it('creates a comment on the commit, too', async () => {
    await start({ body: 'Seen on both sides' })
    const path = pathOf().replace(/discussions$/, 'comments')
    const { headers } = await server.inject('GET', path, { query: 'per_page=1' })
    const query = `per_page=1&page=${headers['x-total']}`
    const { body } = await server.inject('GET', path, { query })
    expect(body).toMatchObject([{ note: 'Seen on both sides', path: null, line: null }])
  })

  it('is also served under /projects/:id/commits', async () => {
    const other = (path: string) => path.replace('/repository/commits/', '/commits/')
    const path = other(pathOf())
    const made1 = await server.inject('POST', path, { token, body: { body: 'By the other path' } })
    expect(made1.status).toBe(201)
    const [note] = made1.body.notes
    const one = `${path}/${made1.body.id}`
    expect((await server.inject('GET', one, { token })).body).toEqual(made1.body)
    expect((await server.inject('GET', `${one}/notes`, { token })).body).toEqual([note])
    const reply = await server.inject('POST', `${one}/notes`, { token, body: { body: 'Yes' } })
    expect(reply.status).toBe(201)
    const replied = `${one}/notes/${reply.body.id}`
    expect((await server.inject('GET', replied, { token })).body).toEqual(reply.body)
    const changed = await server.inject('PUT', replied, { token, body: { body: 'No' } })
    expect(changed.body.body).toBe('No')
    expect((await server.inject('DELETE', replied, { token })).status).toBe(204)
    expect((await server.inject('GET', path, { token })).status).toBe(200)
  })

  it('accepts created_at from administrators and owners, and ignores it from others', async () => {
    const date = '2012-09-20T11:50:22.001Z'
    const owner = await server.buildUser()
    const group = await server.buildGroup({}, owner)
    const own = await buildCommentedProject(server, { namespace_id: group.id })
    const maintainer = await server.buildUser()
    await server.addMember(`projects/${own.project.id}`, maintainer.id, 40)
    const dates = async (by: { token: string }) => {
      const path = discussionsOf(server, own).pathOf()
      const body = { body: 'Old', created_at: date }
      const { body: discussion } = await server.inject('POST', path, { token: by.token, body })
      return [discussion.notes[0].created_at, discussion.notes[0].updated_at]
    }
    expect(await dates({ token })).toEqual([date, date])
    expect(await dates(owner)).toEqual([date, date])
    expect(await dates(maintainer)).not.toContain(date)
  })

  it.each([
    [{}, 'body is missing'],
    [{ body: '' }, 'body is empty'],
    [{ body: 'a\0b' }, 'body is invalid'],
    [{ body: 'x', created_at: 'yesterday' }, 'created_at is invalid'],
    [{ body: 'x', position: 'here' }, 'position is invalid'],
    [{ body: 'x', position: ['here'] }, 'position[base_sha] is missing'],
  ])('answers 400 for %j', async (body, error) => {
    const answer = await call('POST', '', body)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toContain(error)
  })

  it('returns 400 for a blank or too long note', async () => {
    for (const body of [' ', 'x'.repeat(1_000_001)]) {
      const answer = await call('POST', '', { body })
      expect(answer.status).toBe(400)
      expect(answer.body.message).toMatch(/^400 \(Bad request\) "Note \{"note":/)
    }
  })

  it('returns 404 for an unknown commit, and 401, 403 or 404 to callers who may not read the code', async () => {
    const body = { body: 'x' }
    const unknown = await server.inject('POST', pathOf('', 'none'), { token, body })
    expect(unknown.body).toEqual({ message: '404 Commit Not Found' })
    expect((await server.inject('POST', pathOf(), { body })).status).toBe(401)
    expect((await server.inject('GET', pathOf())).status).toBe(401)
    const hidden = await buildCommentedProject(server)
    const guest = await server.buildUser()
    const path = discussionsOf(server, hidden).pathOf()
    for (const method of ['GET', 'POST']) {
      const input = { token: guest.token, ...(method === 'POST' ? { body } : {}) }
      expect((await server.inject(method, path, input)).status).toBe(404)
    }
    await server.addMember(`projects/${hidden.project.id}`, guest.id, 10)
    for (const method of ['GET', 'POST']) {
      const input = { token: guest.token, ...(method === 'POST' ? { body } : {}) }
      expect((await server.inject(method, path, input)).status).toBe(403)
    }
  })
})

describe('GET …/discussions', () => {
  it('shows each comment as a discussion, with its position', async () => {
    const single = await comment()
    expect(single).toMatchObject({ individual_note: true, notes: [{ type: null }] })
    expect(single.notes[0]).not.toHaveProperty('position')
    const placed = await comment({ path: 'a.txt', line: 15, line_type: 'old' })
    expect(placed).toMatchObject({ individual_note: false, notes: [{ type: 'DiffNote' }] })
    expect(placed.notes[0].position).toMatchObject({ old_line: 15, new_line: null })
  })

  it('lists in the order of first notes, in pages, with a constant number of queries', async () => {
    const own = await buildCommentedProject(server, { visibility: 'public' })
    const path = discussionsOf(server, own).pathOf()
    const ids: string[] = []
    const add = async () => {
      const by = await server.buildUser()
      const { body } = await server.inject('POST', path, { token: by.token, body: { body: 'x' } })
      const reply = { token, body: { body: 'y' } }
      await server.inject('POST', `${path}/${body.id}/notes`, reply)
      ids.push(body.id)
    }
    const cost = async () => {
      const [queries, spawns] = [server.app.db.stats.queries, server.app.git.spawnCount]
      const answer = await server.inject('GET', path, { token })
      expect(answer.body.map(({ id }: Json) => id)).toEqual(ids)
      expect(answer.body.every(({ notes }: Json) => notes.length === 2)).toBe(true)
      expect(server.app.git.spawnCount).toBe(spawns)
      return server.app.db.stats.queries - queries
    }
    await add()
    const few = await cost()
    for (let i = 0; i < 4; i += 1) await add()
    expect(await cost()).toBe(few)
    expect(few).toBeLessThanOrEqual(6)
    const query = 'per_page=2&page=3'
    const last = await server.inject('GET', path, { token, query })
    expect(last.body.map(({ id }: Json) => id)).toEqual(ids.slice(4))
    expect(last.headers).toMatchObject({ 'x-total': '5', 'x-total-pages': '3' })
  })

  it.each(['x', '0'.repeat(40), '%00', 'A'.repeat(40)])('returns 404 for %s', async (id) => {
    for (const rest of [`/${id}`, `/${id}/notes`]) {
      const answer = await call('GET', rest)
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Discussion Not Found' }])
    }
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { body: 'x' } : undefined
      const answer = await call(method, `/${id}/notes/1`, body)
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Note Not Found' }])
    }
  })

  it('returns 404 for a discussion on another commit', async () => {
    const { id } = await start()
    const answer = await server.inject('GET', pathOf(`/${id}`, made.first), { token })
    expect(answer.status).toBe(404)
  })
})
