import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildListedMergeRequests,
  type ListedMergeRequests,
} from '../../../testing/fixtures/listed-merge-requests.ts'
import { remoteUrl } from '../../../testing/git/git-client.ts'
import type { Json } from '../../../testing/test-server.ts'

let fixture: ListedMergeRequests

beforeAll(async () => {
  fixture = await buildListedMergeRequests()
})
afterAll(() => fixture.server.close())

const own = ['WIP: Green', 'Blue lamp', 'Red lamp']
const all = ['Closed', 'Assigned', ...own]

describe('GET /merge_requests', () => {
  it('lists what the caller created, by default', async () => {
    const { titles, server, guest } = fixture
    expect(await titles('/merge_requests')).toEqual(own)
    expect(await titles('/merge_requests?scope=created_by_me')).toEqual(own)
    expect(await titles('/merge_requests', guest)).toEqual([])
    expect(await titles('/merge_requests', server.root)).toEqual(['Closed', 'Assigned'])
  })

  it('lists what is assigned to the caller, or all, by scope', async () => {
    const { titles, guest, reporter } = fixture
    expect(await titles('/merge_requests?scope=all')).toEqual(all)
    expect(await titles('/merge_requests?scope=assigned_to_me')).toEqual([])
    expect(await titles('/merge_requests?scope=assigned-to-me', guest)).toEqual(['Assigned'])
    const byReporter = `author_id=${reporter.id}`
    expect(await titles(`/merge_requests?scope=all&${byReporter}`)).toEqual(own)
    expect(await titles(`/merge_requests?scope=assigned_to_me&${byReporter}`, guest)).toEqual([])
    expect(await titles('/merge_requests?author_id=1')).toEqual([])
  })

  it('returns 401 without a token', async () => {
    const { status } = await fixture.server.inject('GET', '/merge_requests?scope=all')
    expect(status).toBe(401)
  })

  it('lists to guests of private projects only what they wrote or are assigned to', async () => {
    const { titles, get, guest, server } = fixture
    expect(await titles('/merge_requests?scope=all', guest)).toEqual(['Assigned'])
    const { headers } = await get('/merge_requests?scope=all', guest)
    expect(headers['x-total']).toBe('1')
    const stranger = await server.buildUser()
    expect(await titles('/merge_requests?scope=all', stranger)).toEqual([])
  })

  it('follows changes of memberships and features at once', async () => {
    const { server, other, titles, send } = fixture
    const newcomer = await server.buildUser()
    const visible = () => titles('/merge_requests?scope=all', newcomer)
    expect(await visible()).toEqual([])
    const path = `/projects/${other.id}`
    await server.addMember(`projects/${other.id}`, newcomer.id, 20)
    expect(await visible()).toEqual(['Closed', 'Assigned'])
    await send('PUT', path, { merge_requests_access_level: 'disabled' })
    expect(await visible()).toEqual([])
    await send('PUT', path, { merge_requests_access_level: 'enabled' })
    await send('PUT', `${path}/members/${newcomer.id}`, { access_level: 10 })
    expect(await visible()).toEqual([])
  })

  it('ignores `iids`, which only the list of a project takes', async () => {
    expect(await fixture.titles('/merge_requests?scope=all&iids[]=1')).toEqual(all)
    expect(await fixture.titles(`/groups/${fixture.group.id}/merge_requests?iids[]=1`)).toEqual(all)
  })

  it('returns 400 for values that are not allowed', async () => {
    for (const [query, error] of [
      ['state=active', 'state does not have a valid value'],
      ['scope=mine', 'scope does not have a valid value'],
      ['order_by=title', 'order_by does not have a valid value'],
      ['sort=up', 'sort does not have a valid value'],
      ['in=notes', 'in does not have a valid value'],
      ['view=full', 'view does not have a valid value'],
      ['wip=maybe', 'wip does not have a valid value'],
      ['assignee_id=me', 'assignee_id is invalid'],
      ['author_id=me', 'author_id is invalid'],
      ['source_project_id=me', 'source_project_id is invalid'],
      ['created_after=yesterday', 'created_after is invalid'],
      ['pagination=keyset', expect.any(String)],
    ]) {
      const answer = await fixture.get(`/merge_requests?scope=all&${query}`)
      expect([answer.status, answer.body.error], String(query)).toEqual([400, error])
    }
  })

  it('never returns 500 for malformed input', async () => {
    for (const query of [
      'search=%00',
      'search=%22%22%22',
      `search=${'a%20'.repeat(400)}`,
      'labels[][a]=b',
      'milestone[]=a',
      'author_id=-1',
      'source_project_id=-1',
      'source_branch=%00',
      `target_branch=${'a'.repeat(5000)}`,
      'assignee_id=999999999999999',
      'page=99999999',
      'my_reaction_emoji=%F0%9F%91%8D',
    ]) {
      const { status } = await fixture.get(`/merge_requests?scope=all&${query}`)
      expect([200, 400], query).toContain(status)
    }
  })
})

describe('GET /groups/:id/merge_requests', () => {
  it('lists those into projects of the group and its subgroups, by all authors', async () => {
    const { group, titles, guest, server, project } = fixture
    const path = `/groups/${group.id}/merge_requests`
    expect(await titles(path)).toEqual(all)
    expect(await titles(`${path}?scope=created_by_me`)).toEqual(own)
    expect(await titles(path, guest)).toEqual(['Assigned'])
    expect(await titles(`/groups/${project.namespace.id}/merge_requests`)).toEqual(own)
    const { id } = await server.buildGroup({ visibility: 'private', parent_id: group.id })
    expect(await titles(`/groups/${id}/merge_requests`)).toEqual([])
  })

  it('lists those of archived projects, too', async () => {
    const { group, other, titles, send } = fixture
    await send('POST', `/projects/${other.id}/archive`, {})
    expect(await titles(`/groups/${group.id}/merge_requests`)).toEqual(all)
    expect(await titles('/merge_requests?scope=all')).toEqual(all)
    await send('POST', `/projects/${other.id}/unarchive`, {})
  })

  it('lists to callers who can read a project in the group what they may see', async () => {
    const { group, project, titles, server } = fixture
    const visitor = await server.buildUser()
    await server.addMember(`projects/${project.id}`, visitor.id, 20)
    expect(await titles(`/groups/${group.id}/merge_requests`, visitor)).toEqual(own)
  })

  it('returns 404 to callers who may not see the group, 401 without a token', async () => {
    const stranger = await fixture.server.buildUser()
    const path = `/groups/${fixture.group.id}/merge_requests`
    const answer = await fixture.get(path, stranger)
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Group Not Found' }])
    expect((await fixture.server.inject('GET', path)).status).toBe(401)
  })
})

describe('the lists of merge requests', () => {
  it('show the same as a single read but for what only that has', async () => {
    const { project, get } = fixture
    const { body } = await get(`/projects/${project.id}/merge_requests`)
    for (const request of body as Json[]) {
      const { status, body: single } = await get(
        `/projects/${project.id}/merge_requests/${request.iid}`,
      )
      expect(status).toBe(200)
      expect(single).toMatchObject(request)
    }
  })

  it('run a constant number of queries, and only those of the list with view=simple', async () => {
    const { server, group, reporter, guest, repository, send, get } = fixture
    const crowd = await server.buildProject({ namespace_id: group.id, visibility: 'private' })
    const { username, token } = server.root
    const remote = remoteUrl(await server.url(), crowd.path_with_namespace, username, token)
    await repository.git('push', '--force', remote, 'main', 'red')
    const { id } = await send('POST', `/projects/${crowd.id}/milestones`, { title: 'v1' })
    const cost = async (path: string) => {
      // Totals are cached, and the merge status is determined, by the first.
      await get(path)
      const before = server.app.db.stats.queries
      await get(path)
      return server.app.db.stats.queries - before
    }
    const paths = [
      `/projects/${crowd.id}/merge_requests?with_labels_details=true`,
      `/projects/${crowd.id}/merge_requests?labels=busy`,
      `/groups/${group.id}/merge_requests`,
      '/merge_requests?scope=all',
      '/merge_requests',
      '/merge_requests?scope=all&view=simple',
    ]
    const costs: number[][] = []
    for (const count of [1, 5]) {
      for (let made = 0; made < count; made += 1) {
        const target = `target-${costs.length}-${made}`
        await send('POST', `/projects/${crowd.id}/repository/branches`, {
          branch: target,
          ref: 'main',
        })
        const { iid } = await server.buildMergeRequest(crowd as { id: number }, 'red', target, {
          authorId: made % 2 ? guest.id : reporter.id,
          assigneeIds: [made % 2 ? reporter.id : guest.id],
        })
        const planned = { labels: `busy,x${made}`, milestone_id: id }
        await send('PUT', `/projects/${crowd.id}/merge_requests/${iid}`, planned)
      }
      costs.push([])
      for (const path of paths) costs.at(-1)?.push(await cost(path))
    }
    expect(costs[1]).toEqual(costs[0])
    for (const number of costs.flat()) expect(number).toBeLessThanOrEqual(9)
    const [, , , full = 0, , simple = 0] = costs[0] ?? []
    // Assignees, users, labels, milestones and subscriptions.
    expect(full - simple).toBe(5)
    await server.inject('DELETE', `/projects/${crowd.id}`, { token })
  })
})
