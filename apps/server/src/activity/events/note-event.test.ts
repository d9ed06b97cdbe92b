import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildCommentedProject,
  type CommentedProject,
} from '../../testing/git/commented-project.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

async function comment({ project, second }: CommentedProject, token: string, body: object = {}) {
  const path = `/projects/${project.id}/repository/commits/${second}/comments`
  const answer = await server.inject('POST', path, { token, body: { note: 'Nice', ...body } })
  expect(answer.status).toBe(201)
}

async function eventsOf(path: string, token: string, query = 'action=commented'): Promise<Json[]> {
  const answer = await server.inject('GET', `${path}/events`, { token, query })
  expect(answer.status).toBe(200)
  return answer.body
}

describe('the event of a commit comment', () => {
  it('embeds the note', async () => {
    const ada = await server.buildUser()
    const made = await buildCommentedProject(server, { visibility: 'public' })
    await comment(made, ada.token)
    const [event, ...others] = await eventsOf('', ada.token)
    expect(others).toEqual([])
    expect(event).toEqual({
      id: expect.any(Number),
      title: null,
      project_id: made.project.id,
      action_name: 'commented on',
      target_id: event.note.id,
      target_iid: event.note.id,
      target_type: 'Note',
      author_id: ada.id,
      target_title: null,
      created_at: event.note.created_at,
      author: event.note.author,
      author_username: ada.username,
      note: {
        id: expect.any(Number),
        body: 'Nice',
        attachment: null,
        author: expect.objectContaining({ id: ada.id }),
        created_at: expect.stringMatching(/Z$/),
        system: false,
        noteable_id: null,
        noteable_type: 'Commit',
        noteable_iid: null,
        commit_id: made.second,
      },
    })
  })

  it('is named after the type of the note, and the filter `note` finds only single comments', async () => {
    const ada = await server.buildUser()
    const made = await buildCommentedProject(server, { visibility: 'public' })
    await comment(made, ada.token)
    await comment(made, ada.token, { path: 'a.txt', line: 15 })
    const path = `/projects/${made.project.id}/repository/commits/${made.second}/discussions`
    await server.inject('POST', path, { token: ada.token, body: { body: 'Why?' } })
    const types = async (query: string) =>
      (await eventsOf('', ada.token, query)).map((event) => event.target_type)
    expect(await types('action=commented')).toEqual(['DiscussionNote', 'DiffNote', 'Note'])
    expect(await types('target_type=note')).toEqual(['Note'])
    expect(await types('action=commented&target_type=note')).toEqual(['Note'])
    expect(await types('action=commented&target_type=issue')).toEqual([])
  })

  it('is visible to users who may read the code', async () => {
    const [ada, guest, reporter] = [
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
    ]
    const made = await buildCommentedProject(server)
    const { id } = made.project
    await server.addMember(`projects/${id}`, ada.id, 30)
    await comment(made, ada.token)
    await server.addMember(`projects/${id}`, guest.id, 10)
    await server.addMember(`projects/${id}`, reporter.id, 20)
    for (const path of [`/users/${ada.id}`, `/projects/${id}`]) {
      expect(await eventsOf(path, guest.token)).toEqual([])
      expect(await eventsOf(path, reporter.token)).toHaveLength(1)
      expect(await eventsOf(path, server.root.token)).toHaveLength(1)
    }
    const stranger = await server.buildUser()
    expect(await eventsOf(`/users/${ada.id}`, stranger.token)).toEqual([])
  })

  it('stays after the note is deleted, without id and text, for users who may read the code', async () => {
    const [ada, guest] = [await server.buildUser(), await server.buildUser()]
    const made = await buildCommentedProject(server)
    const { id } = made.project
    await server.addMember(`projects/${id}`, ada.id, 30)
    await server.addMember(`projects/${id}`, guest.id, 10)
    await comment(made, ada.token)
    const path = `/projects/${id}/repository/commits/main/discussions`
    const { body } = await server.inject('GET', path, { token: ada.token })
    const note = `${path}/${body[0].id}/notes/${body[0].notes[0].id}`
    expect((await server.inject('DELETE', note, { token: ada.token })).status).toBe(204)
    const [event] = await eventsOf(`/projects/${id}`, ada.token)
    expect(event).toMatchObject({ target_id: null, target_iid: null, target_type: 'Note' })
    expect(event).not.toHaveProperty('note')
    expect(await eventsOf(`/projects/${id}`, guest.token)).toEqual([])
  })

  it('runs the same number of queries for any number of events', async () => {
    const made = await buildCommentedProject(server, { visibility: 'public' })
    const cost = async () => {
      const before = server.app.db.stats.queries
      await eventsOf(`/projects/${made.project.id}`, server.root.token)
      return server.app.db.stats.queries - before
    }
    await comment(made, (await server.buildUser()).token)
    const few = await cost()
    for (let i = 0; i < 8; i += 1) await comment(made, (await server.buildUser()).token)
    expect(await cost()).toBe(few)
    expect(few).toBeLessThanOrEqual(7)
  })

  it('updates the last activity of the project at most once an hour', async () => {
    const made = await buildCommentedProject(server, { visibility: 'public' })
    const { token } = server.root
    const activity = async () =>
      (await server.inject('GET', `/projects/${made.project.id}`, { token })).body.last_activity_at
    const before = await activity()
    server.advance(1_800_000)
    await comment(made, token)
    expect(await activity()).toBe(before)
    server.advance(1_800_000)
    await comment(made, token)
    expect(Date.parse(await activity())).toBeGreaterThanOrEqual(Date.parse(before) + 3_600_000)
  })
})
