import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import { buildRepositoryFixture } from '../../testing/git/repository-fixture.ts'
import { buildPublicKey } from '../../testing/git/ssh-key.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { presentInstanceStatistics } from './instance-statistics.presenter.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const path = '/application/statistics'
const show = async () => (await callAs(server, 'GET', path, server.root.token)).body

describe('GET /application/statistics', () => {
  it('counts everything of the instance, as text', async () => {
    const empty = {
      forks: '0',
      issues: '0',
      merge_requests: '0',
      notes: '0',
      snippets: '0',
      ssh_keys: '0',
      milestones: '0',
      users: '1',
      groups: '0',
      projects: '0',
      active_users: '1',
    }
    expect(await show()).toEqual(empty)
    const group = await server.buildGroup()
    const { project, push, commitTo } = await buildRepositoryFixture(server)
    await commitTo('topic', { 'b.txt': 'b\n' }, 'First')
    await push('main', 'topic')
    await server.buildMergeRequest(project, 'topic', 'main')
    const own = `/projects/${project.id}`
    const issue = await created(server, `${own}/issues`, { title: 'a' })
    await created(server, `${own}/issues/${issue.iid}/notes`, { body: 'b' })
    await created(server, `${own}/milestones`, { title: 'v1' })
    await created(server, `/groups/${group.id}/milestones`, { title: 'v2' })
    const snippet = { title: 's', file_name: 's', content: 's', visibility: 'private' }
    await created(server, '/snippets', snippet)
    const blocked = await server.buildUser()
    await server.buildUser()
    await callAs(server, 'POST', `/users/${blocked.id}/block`, server.root.token)
    expect(await show()).toEqual({
      ...empty,
      issues: '1',
      merge_requests: '1',
      notes: '1',
      snippets: '1',
      milestones: '2',
      users: '3',
      groups: '1',
      projects: '1',
      active_users: '2',
    })
  })

  it('counts forks and keys of users, and nothing that is being deleted', async () => {
    const before = await show()
    const [source, fork] = [await server.buildProject(), await server.buildProject()]
    const [group, user] = [await server.buildGroup(), await server.buildUser()]
    await server.app.db.run('test.fork', { id: fork.id, source: source.id }, (db, $) =>
      db
        .updateTable('projects')
        .set({ forkedFromProjectId: $('source') })
        .where('id', '=', $('id')),
    )
    const other = await server.buildUser()
    for (const keys of [`/users/${user.id}/keys`, `/users/${other.id}/keys`, '/deploy_keys']) {
      await created(server, keys, { title: 'A key', key: buildPublicKey() })
    }
    const more = (name: string, by: number) => String(Number(before[name]) + by)
    expect(await show()).toEqual({
      ...before,
      forks: more('forks', 1),
      ssh_keys: more('ssh_keys', 2),
      projects: more('projects', 2),
      groups: more('groups', 1),
      users: more('users', 2),
      active_users: more('active_users', 2),
    })
    for (const where of [`/projects/${fork.id}`, `/groups/${group.id}`, `/users/${user.id}`]) {
      await callAs(server, 'DELETE', where, server.root.token)
    }
    expect(await show()).toEqual({
      ...before,
      ssh_keys: more('ssh_keys', 1),
      projects: more('projects', 1),
      users: more('users', 1),
      active_users: more('active_users', 1),
    })
  })

  it('returns 403 to users and 401 without a token', async () => {
    const { token } = await server.buildUser()
    expect((await callAs(server, 'GET', path, token)).status).toBe(403)
    expect((await callAs(server, 'GET', path)).status).toBe(401)
  })
})

describe('presentInstanceStatistics', () => {
  it('separates thousands', () => {
    const none = { forks: 0, issues: 0, mergeRequests: 0, notes: 0, snippets: 0, sshKeys: 0 }
    const counts = { ...none, milestones: 999, users: 1000, groups: 0, projects: 0, activeUsers: 0 }
    expect(presentInstanceStatistics({ ...counts, issues: 1_234_567 })).toMatchObject({
      issues: '1,234,567',
      milestones: '999',
      users: '1,000',
    })
  })
})
