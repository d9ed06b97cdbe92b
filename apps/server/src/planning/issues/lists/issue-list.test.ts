import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildListedIssues, type ListedIssues } from '../../../testing/fixtures/listed-issues.ts'
import { buildTestServer, type Json } from '../../../testing/test-server.ts'

let fixture: ListedIssues

beforeAll(async () => {
  fixture = await buildListedIssues()
})
afterAll(() => fixture.server.close())

const all = ['Closed', 'Assigned', 'Hidden', 'Blue lamp', 'Red lamp']

describe('GET /issues', () => {
  it('lists the issues that the caller created, by default', async () => {
    expect(await fixture.titles('/issues')).toEqual(['Hidden', 'Blue lamp', 'Red lamp'])
    expect(await fixture.titles('/issues?scope=created_by_me')).toEqual([
      'Hidden',
      'Blue lamp',
      'Red lamp',
    ])
    expect(await fixture.titles('/issues?scope=created-by-me')).toEqual([
      'Hidden',
      'Blue lamp',
      'Red lamp',
    ])
    expect(await fixture.titles('/issues?scope=assigned-to-me', fixture.guest)).toEqual([
      'Assigned',
    ])
    expect(await fixture.titles('/issues?scope=all')).toEqual(all)
    expect(await fixture.titles(`/issues?author_id=${fixture.guest.id}`)).toEqual([])
    expect(await fixture.titles(`/issues?author_id=${fixture.guest.id}&scope=all`)).toEqual([
      'Closed',
    ])
  })

  it('returns 401 without a token', async () => {
    expect((await fixture.server.inject('GET', '/issues?scope=all')).status).toBe(401)
  })

  it('leaves issues that the caller may not see out of list and totals', async () => {
    const stranger = await fixture.server.buildUser()
    expect(await fixture.titles('/issues?scope=all', stranger)).toEqual([])
    const visible = await fixture.get('/issues?scope=all', fixture.guest)
    expect(visible.body.map((issue: Json) => issue.title)).toEqual(
      all.filter((t) => t !== 'Hidden'),
    )
    expect(visible.headers['x-total']).toBe('4')
    expect(
      (await fixture.get('/issues?scope=all&search=hidden', fixture.guest)).headers['x-total'],
    ).toBe('0')
  })

  it('reflects changes of memberships and visibility immediately', async () => {
    const newcomer = await fixture.server.buildUser()
    const visible = () => fixture.titles('/issues?scope=all', newcomer)
    expect(await visible()).toEqual([])
    await fixture.server.addMember(`projects/${fixture.other.id}`, newcomer.id, 10)
    expect(await visible()).toEqual(['Closed', 'Assigned'])
    const path = `/projects/${fixture.other.id}`
    await fixture.send('PUT', path, { issues_access_level: 'disabled' }, fixture.server.root)
    expect(await visible()).toEqual([])
    await fixture.send('PUT', path, { issues_access_level: 'enabled' }, fixture.server.root)
    expect(await visible()).toEqual(['Closed', 'Assigned'])
    const { token } = fixture.server.root
    await fixture.server.inject('DELETE', `${path}/members/${newcomer.id}`, { token })
    expect(await visible()).toEqual([])
  })

  it('returns 400 for values that are not allowed', async () => {
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
      const answer = await fixture.get(`/issues?scope=all&${query}`, fixture.reporter)
      expect([answer.status, answer.body.error], String(query)).toEqual([400, error])
    }
  })

  it('returns 400 for filters that exclude each other', async () => {
    const answer = await fixture.get('/issues?author_id=1&author_username=root', fixture.reporter)
    const error = 'author_id, author_username are mutually exclusive'
    expect([answer.status, answer.body]).toEqual([400, { error }])
    const both = await fixture.get(
      '/issues?assignee_id=None&assignee_username=root',
      fixture.reporter,
    )
    const wording = 'assignee_id, assignee_username are mutually exclusive'
    expect([both.status, both.body]).toEqual([400, { error: wording }])
  })

  it('never returns 500 for malformed input', async () => {
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
      'assignee_id=9007199254740991',
      'weight=-1',
      'created_after=0001-01-01&created_before=9999-12-31T23:59:59Z',
      'page=99999999',
      'assignee_username[]=&author_username=',
      'my_reaction_emoji=%F0%9F%91%8D',
    ]) {
      const { status } = await fixture.get(`/issues?scope=all&${query}`, fixture.reporter)
      expect([200, 400], query).toContain(status)
    }
  })
})

describe('GET /groups/:id/issues', () => {
  it('lists the issues of the group and its subgroups, by all authors', async () => {
    expect(await fixture.titles(`/groups/${fixture.group.id}/issues`)).toEqual(all)
    expect(
      await fixture.titles(`/groups/${fixture.group.id}/issues?scope=created_by_me`, fixture.guest),
    ).toEqual(['Closed'])
    const { id } = await fixture.server.buildGroup({
      visibility: 'private',
      parent_id: fixture.group.id,
    })
    expect(await fixture.titles(`/groups/${id}/issues`)).toEqual([])
  })

  it('returns 404 to callers who may not see the group', async () => {
    const stranger = await fixture.server.buildUser()
    const answer = await fixture.get(`/groups/${fixture.group.id}/issues`, stranger)
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Group Not Found' }])
  })

  it('leaves out archived projects unless requested', async () => {
    const old = await fixture.server.buildProject({
      namespace_id: fixture.group.id,
      visibility: 'private',
    })
    await fixture.add(old, { title: 'Old' }, fixture.reporter)
    await fixture.post(`/projects/${old.id}/archive`, {}, fixture.server.root)
    const path = `/groups/${fixture.group.id}/issues`
    expect(await fixture.titles(path)).toEqual(all)
    expect(await fixture.titles(`${path}?non_archived=false`)).toEqual(['Old', ...all])
    expect(await fixture.titles('/issues?scope=all')).toEqual(all)
    expect(await fixture.titles('/issues?scope=all&non_archived=false')).toEqual(['Old', ...all])
    expect(await fixture.titles(`/projects/${old.id}/issues`)).toEqual(['Old'])
    await fixture.server.inject('DELETE', `/projects/${old.id}`, {
      token: fixture.server.root.token,
    })
  })
})

describe('the lists of issues', () => {
  it('show what the caller is subscribed to', async () => {
    const { reporter, guest, project, other } = fixture
    const paths = ['/issues?scope=all', `/groups/${fixture.group.id}/issues`]
    const subscribed = async (path: string, by: { token: string }) =>
      (await fixture.get(path, by)).body
        .filter((issue: Json) => issue.subscribed)
        .map((issue: Json) => issue.title)
    for (const path of paths) {
      expect(await subscribed(path, reporter)).toEqual([
        'Assigned',
        'Hidden',
        'Blue lamp',
        'Red lamp',
      ])
      expect(await subscribed(path, guest)).toEqual(['Closed', 'Assigned'])
    }
    await fixture.post(`/projects/${project.id}/issues/1/unsubscribe`, {}, reporter)
    await fixture.post(`/projects/${project.id}/issues/2/subscribe`, {}, guest)
    await fixture.post(`/projects/${other.id}/issues/1/unsubscribe`, {}, guest)
    const own = `/projects/${project.id}/issues`
    expect(await subscribed(own, reporter)).toEqual(['Hidden', 'Blue lamp'])
    expect(await subscribed(own, guest)).toEqual(['Blue lamp'])
    for (const path of [...paths, own]) {
      for (const issue of (await fixture.get(path, guest)).body) {
        expect(typeof issue.subscribed).toBe('boolean')
        const one = `/projects/${issue.project_id}/issues/${issue.iid}`
        expect((await fixture.get(one, guest)).body).toEqual(issue)
      }
    }
    await fixture.post(`/projects/${project.id}/issues/1/subscribe`, {}, reporter)
  })

  it('run a constant number of queries, at most nine once totals are cached', async () => {
    const crowd = await fixture.server.buildProject({
      namespace_id: fixture.group.id,
      visibility: 'private',
    })
    const { id } = await fixture.post(
      `/projects/${crowd.id}/milestones`,
      { title: 'v1' },
      fixture.server.root,
    )
    const cost = async (path: string) => {
      await fixture.get(path, fixture.reporter)
      const before = fixture.server.app.db.stats.queries
      await fixture.get(path, fixture.reporter)
      return fixture.server.app.db.stats.queries - before
    }
    const paths = [
      `/projects/${crowd.id}/issues?with_labels_details=true`,
      `/projects/${crowd.id}/issues?labels=busy`,
      `/groups/${fixture.group.id}/issues`,
      '/issues?scope=all',
      '/issues',
    ]
    const costs: number[][] = []
    for (const count of [1, 6]) {
      for (let made = 0; made < count; made += 1) {
        const assignees = {
          assignee_ids: [made % 2 ? fixture.guest.id : fixture.reporter.id],
          milestone_id: id,
        }
        await fixture.add(
          crowd,
          { title: `${made}`, labels: `busy,x${made}`, ...assignees },
          fixture.reporter,
        )
      }
      costs.push([])
      for (const path of paths) costs.at(-1)?.push(await cost(path))
    }
    expect(costs[1]).toEqual(costs[0])
    for (const number of costs.flat()) expect(number).toBeLessThanOrEqual(9)
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
