import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json } from '../../../testing/test-server.ts'
import { buildListedIssues, type ListedIssues } from '../../../testing/worlds/listed-issues.ts'

let world: ListedIssues

beforeAll(async () => {
  world = await buildListedIssues()
})
afterAll(() => world.server.close())

const all = ['Closed', 'Assigned', 'Hidden', 'Blue lamp', 'Red lamp']

describe('GET /issues', () => {
  it('lists the issues that the caller created, by default', async () => {
    expect(await world.titles('/issues')).toEqual(['Hidden', 'Blue lamp', 'Red lamp'])
    expect(await world.titles('/issues?scope=created_by_me')).toEqual([
      'Hidden',
      'Blue lamp',
      'Red lamp',
    ])
    expect(await world.titles('/issues?scope=created-by-me')).toEqual([
      'Hidden',
      'Blue lamp',
      'Red lamp',
    ])
    expect(await world.titles('/issues?scope=assigned-to-me', world.guest)).toEqual(['Assigned'])
    expect(await world.titles('/issues?scope=all')).toEqual(all)
    expect(await world.titles(`/issues?author_id=${world.guest.id}`)).toEqual([])
    expect(await world.titles(`/issues?author_id=${world.guest.id}&scope=all`)).toEqual(['Closed'])
  })

  it('answers 401 without a token', async () => {
    expect((await world.server.inject('GET', '/issues?scope=all')).status).toBe(401)
  })

  it('leaves issues that the caller may not see out of list and totals', async () => {
    const stranger = await world.server.buildUser()
    expect(await world.titles('/issues?scope=all', stranger)).toEqual([])
    const visible = await world.get('/issues?scope=all', world.guest)
    expect(visible.body.map((issue: Json) => issue.title)).toEqual(
      all.filter((t) => t !== 'Hidden'),
    )
    expect(visible.headers['x-total']).toBe('4')
    expect(
      (await world.get('/issues?scope=all&search=hidden', world.guest)).headers['x-total'],
    ).toBe('0')
  })

  it('reflects changes of memberships and visibility immediately', async () => {
    const newcomer = await world.server.buildUser()
    const visible = () => world.titles('/issues?scope=all', newcomer)
    expect(await visible()).toEqual([])
    await world.server.addMember(`projects/${world.other.id}`, newcomer.id, 10)
    expect(await visible()).toEqual(['Closed', 'Assigned'])
    const path = `/projects/${world.other.id}`
    await world.send('PUT', path, { issues_access_level: 'disabled' }, world.server.root)
    expect(await visible()).toEqual([])
    await world.send('PUT', path, { issues_access_level: 'enabled' }, world.server.root)
    expect(await visible()).toEqual(['Closed', 'Assigned'])
    const { token } = world.server.root
    await world.server.inject('DELETE', `${path}/members/${newcomer.id}`, { token })
    expect(await visible()).toEqual([])
  })

  it('answers 400 for values that are not allowed', async () => {
    for (const [query, error] of [
      ['state=merged', 'state does not have a valid value'],
      ['scope=mine', 'scope does not have a valid value'],
      ['order_by=title', 'order_by does not have a valid value'],
      ['sort=up', 'sort does not have a valid value'],
      ['in=notes', 'in does not have a valid value'],
      ['assignee_id=me', 'assignee_id is invalid'],
      ['author_id=me', 'author_id is invalid'],
      ['weight=heavy', 'weight is invalid'],
      ['iids[]=one', 'iids is invalid'],
      ['created_after=yesterday', 'created_after is invalid'],
      ['confidential=perhaps', 'confidential is invalid'],
      ['pagination=keyset', expect.any(String)],
    ]) {
      const answer = await world.get(`/issues?scope=all&${query}`, world.reporter)
      expect([answer.status, answer.body.error], String(query)).toEqual([400, error])
    }
  })

  it('answers 400 for filters that exclude each other', async () => {
    const answer = await world.get('/issues?author_id=1&author_username=root', world.reporter)
    const error = 'author_id, author_username are mutually exclusive'
    expect([answer.status, answer.body]).toEqual([400, { error }])
    const both = await world.get('/issues?assignee_id=None&assignee_username=root', world.reporter)
    const wording = 'assignee_id, assignee_username are mutually exclusive'
    expect([both.status, both.body]).toEqual([400, { error: wording }])
  })

  it('never answers 500 for odd input', async () => {
    for (const query of [
      'search=%00',
      'search=%22%22%22',
      `search=${'a'.repeat(2000)}`,
      `search=${'a%20'.repeat(400)}`,
      'labels[]=&labels[]=',
      'labels[][a]=b',
      'milestone[]=a',
      `iids=${'1,'.repeat(900)}1`,
      'iids[]=999999999999999',
      'author_id=-1',
      'assignee_id=999999999999999',
      'weight=-1',
      'created_after=0001-01-01&created_before=9999-12-31T23:59:59Z',
      'page=99999999',
      'assignee_username[]=&author_username=',
      'my_reaction_emoji=%F0%9F%91%8D',
    ]) {
      const { status } = await world.get(`/issues?scope=all&${query}`, world.reporter)
      expect([200, 400], query).toContain(status)
    }
  })
})

describe('GET /groups/:id/issues', () => {
  it('lists the issues of the group and its subgroups, by all authors', async () => {
    expect(await world.titles(`/groups/${world.group.id}/issues`)).toEqual(all)
    expect(
      await world.titles(`/groups/${world.group.id}/issues?scope=created_by_me`, world.guest),
    ).toEqual(['Closed'])
    const { id } = await world.server.buildGroup({
      visibility: 'private',
      parent_id: world.group.id,
    })
    expect(await world.titles(`/groups/${id}/issues`)).toEqual([])
  })

  it('answers 404 to callers who may not see the group', async () => {
    const stranger = await world.server.buildUser()
    const answer = await world.get(`/groups/${world.group.id}/issues`, stranger)
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Group Not Found' }])
  })

  it('leaves out archived projects unless requested', async () => {
    const old = await world.server.buildProject({
      namespace_id: world.group.id,
      visibility: 'private',
    })
    await world.add(old, { title: 'Old' }, world.reporter)
    await world.post(`/projects/${old.id}/archive`, {}, world.server.root)
    const path = `/groups/${world.group.id}/issues`
    expect(await world.titles(path)).toEqual(all)
    expect(await world.titles(`${path}?non_archived=false`)).toEqual(['Old', ...all])
    expect(await world.titles('/issues?scope=all')).toEqual(all)
    expect(await world.titles('/issues?scope=all&non_archived=false')).toEqual(['Old', ...all])
    expect(await world.titles(`/projects/${old.id}/issues`)).toEqual(['Old'])
    await world.server.inject('DELETE', `/projects/${old.id}`, { token: world.server.root.token })
  })
})

describe('the lists of issues', () => {
  it('run a constant number of queries, at most eight once totals are cached', async () => {
    const crowd = await world.server.buildProject({
      namespace_id: world.group.id,
      visibility: 'private',
    })
    const { id } = await world.post(
      `/projects/${crowd.id}/milestones`,
      { title: 'v1' },
      world.server.root,
    )
    const cost = async (path: string) => {
      await world.get(path, world.reporter)
      const before = world.server.app.db.stats.queries
      await world.get(path, world.reporter)
      return world.server.app.db.stats.queries - before
    }
    const paths = [
      `/projects/${crowd.id}/issues?with_labels_details=true`,
      `/projects/${crowd.id}/issues?labels=busy`,
      `/groups/${world.group.id}/issues`,
      '/issues?scope=all',
      '/issues',
    ]
    const costs: number[][] = []
    for (const count of [1, 6]) {
      for (let made = 0; made < count; made += 1) {
        const assignees = {
          assignee_ids: [made % 2 ? world.guest.id : world.reporter.id],
          milestone_id: id,
        }
        await world.add(
          crowd,
          { title: `${made}`, labels: `busy,x${made}`, ...assignees },
          world.reporter,
        )
      }
      costs.push([])
      for (const path of paths) costs.at(-1)?.push(await cost(path))
    }
    expect(costs[1]).toEqual(costs[0])
    for (const number of costs.flat()) expect(number).toBeLessThanOrEqual(8)
  })
})

describe('GET /issues in the community tier', () => {
  it('accepts one assignee_username and no weight', async () => {
    const plain = await buildTestServer({ tier: 'community' })
    const { token } = plain.root
    const one = await plain.inject('GET', '/issues?assignee_username[]=a', { token })
    expect(one.status).toBe(200)
    const two = await plain.inject('GET', '/issues?assignee_username[]=a&assignee_username[]=b', {
      token,
    })
    expect([two.status, two.body.error]).toEqual([
      400,
      'assignee_username allows one value, but found 2: a, b',
    ])
    expect((await plain.inject('GET', '/issues?weight=1', { token })).status).toBe(403)
    await plain.close()
  })
})
