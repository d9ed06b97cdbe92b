import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildRepositoryFixture } from '../../testing/git/repository-fixture.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const path = (sha: string, id: number) => `/projects/${id}/repository/commits/${sha}/merge_requests`

describe('deleting a user', () => {
  const remove = async (id: number, query = '') => {
    const { status } = await server.inject('DELETE', `/users/${id}`, {
      token: server.root.token,
      query,
    })
    expect(status).toBe(204)
    await server.runJobs()
  }

  it('attributes merge requests to the ghost user, or deletes them on hard delete', async () => {
    const fixture = await buildRepositoryFixture(server)
    const sha = await fixture.commitTo('work', { 'w.txt': 'w\n' }, 'Work')
    await fixture.push('main', 'main:stable', 'work')
    const [ada, bob] = [await server.buildUser(), await server.buildUser()]
    const overrides = { authorId: ada.id, assigneeIds: [ada.id] }
    const kept = await server.buildMergeRequest(fixture.project, 'work', 'main', overrides)
    await server.buildMergeRequest(fixture.project, 'work', 'stable', { authorId: bob.id })
    await remove(ada.id)
    await remove(bob.id, 'hard_delete=true')
    const { token } = server.root
    const { body, headers } = await server.inject('GET', path(sha, fixture.project.id), { token })
    expect(headers['x-total']).toBe('1')
    expect(body).toMatchObject([{ id: kept.id, assignees: [], assignee: null }])
    expect(body[0].author.username).toMatch(/^ghost/)
  })
})

describe('merge request events', () => {
  it('are hidden with merge requests', async () => {
    const fixture = await buildRepositoryFixture(server)
    await fixture.commitTo('work', { 'w.txt': 'w\n' }, 'Work')
    await fixture.push('main', 'work')
    await server.buildMergeRequest(fixture.project, 'work', 'main')
    const guest = await server.buildUser()
    await server.addMember(`projects/${fixture.project.id}`, guest.id, 10)
    const seen = async ({ token }: { token: string }, of: string) => {
      const query = 'target_type=merge_request'
      return (await server.inject('GET', `/${of}/events`, { token, query })).body.length
    }
    const project = `projects/${fixture.project.id}`
    expect(await seen(server.root, project)).toBe(1)
    expect(await seen(guest, project)).toBe(0)
    const ofRoot = await seen(server.root, 'users/1')
    expect(await seen(guest, 'users/1')).toBeLessThan(ofRoot)
  })
})
