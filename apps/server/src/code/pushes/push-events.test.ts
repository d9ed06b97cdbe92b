import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorkTree, commit, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

type User = Awaited<ReturnType<TestServer['buildUser']>>

let server: TestServer
let base: string
beforeAll(async () => {
  server = await buildTestServer()
  base = await server.url()
})
afterAll(() => server.close())

async function listPushes(path: string, { token }: User): Promise<Json[]> {
  return (await server.inject('GET', path, { token, query: 'action=pushed' })).body
}

async function pushSomething(project: Json, user: User): Promise<string> {
  const tree = await buildWorkTree()
  const remote = remoteUrl(base, project.path_with_namespace, user.username, user.token)
  await mustGit(tree, 'push', remote, 'main')
  return tree
}

describe('a push', () => {
  it('is recorded once for each ref, with push_data', async () => {
    const user = await server.buildUser()
    const project = await server.buildProject({}, user)
    const tree = await pushSomething(project, user)
    const remote = remoteUrl(base, project.path_with_namespace, user.username, user.token)
    const first = await mustGit(tree, 'rev-parse', 'HEAD')
    await commit(tree, {}, 'Second')
    const third = await commit(tree, {}, `${'x'.repeat(80)}\n\nBody`)
    await mustGit(tree, 'tag', '-a', 'v1', '-m', 'Version 1')
    await mustGit(tree, 'push', remote, 'main', 'v1', `${first}:refs/heads/old`)
    await mustGit(tree, 'push', remote, ':old')

    const events = await listPushes(`/projects/${project.id}/events`, user)
    const seen = events.map(({ action_name, push_data }) => ({ action_name, ...push_data }))
    const tag = await mustGit(tree, 'rev-parse', 'v1')
    const title = `${'x'.repeat(69)}…`
    expect(seen).toHaveLength(5)
    expect(seen[0]).toEqual({
      action_name: 'deleted',
      commit_count: 0,
      action: 'removed',
      ref_type: 'branch',
      commit_from: first,
      commit_to: null,
      ref: 'old',
      commit_title: null,
    })
    expect(seen.slice(1, 4)).toContainEqual({
      action_name: 'pushed to',
      commit_count: 2,
      action: 'pushed',
      ref_type: 'branch',
      commit_from: first,
      commit_to: third,
      ref: 'main',
      commit_title: title,
    })
    expect(seen.slice(1, 4)).toContainEqual({
      action_name: 'pushed new',
      commit_count: 0,
      action: 'created',
      ref_type: 'tag',
      commit_from: null,
      commit_to: tag,
      ref: 'v1',
      commit_title: title,
    })
    expect(seen.slice(1, 4)).toContainEqual(
      expect.objectContaining({ ref: 'old', action: 'created', commit_count: 0 }),
    )
    expect(seen[4]).toMatchObject({
      action_name: 'pushed new',
      commit_count: 1,
      ref: 'main',
      commit_title: 'Initial commit',
    })
  })

  it('is listed in the events before the client gets its response', async () => {
    const user = await server.buildUser()
    const project = await server.buildProject({}, user)
    await pushSomething(project, user)
    const [event] = await listPushes('/events', user)
    expect(event).toMatchObject({
      title: null,
      project_id: project.id,
      target_id: null,
      target_iid: null,
      target_type: null,
      target_title: null,
      author_id: user.id,
      author_username: user.username,
      author: { id: user.id, name: user.name, username: user.username, state: 'active' },
    })
    expect(event.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(event).not.toHaveProperty('note')
  })

  it('updates the last activity of the project and the user', async () => {
    const user = await server.buildUser()
    const project = await server.buildProject({}, user)
    const before = server.app.now()
    await pushSomething(project, user)
    const row = await server.app.db.first('test.activity', { id: project.id }, (db, $) =>
      db
        .selectFrom('projects')
        .innerJoin('users', (join) => join.on('users.id', '=', user.id))
        .select(['projects.lastActivityAt', 'users.lastActivityOn'])
        .where('projects.id', '=', $('id')),
    )
    expect(row?.lastActivityAt).toBeGreaterThanOrEqual(before)
    expect(row?.lastActivityOn).toBe(new Date(server.app.now()).toISOString().slice(0, 10))
  })
})
