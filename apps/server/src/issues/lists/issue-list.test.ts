import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let reporter: TestUser
let guest: TestUser
let group: Json
let project: Json
let other: Json

beforeAll(async () => {
  server = await buildTestServer()
  reporter = await server.buildUser()
  guest = await server.buildUser()
  group = await server.buildGroup({ visibility: 'private' })
  const inner = await server.buildGroup({ visibility: 'private', parent_id: group.id })
  project = await server.buildProject({ namespace_id: inner.id, visibility: 'private' })
  other = await server.buildProject({ namespace_id: group.id, visibility: 'private' })
  await server.addMember(`groups/${group.id}`, reporter.id, 20)
  await server.addMember(`groups/${group.id}`, guest.id, 10)
  const milestone = await post(`/projects/${project.id}/milestones`, { title: 'v1' }, server.root)
  await add(project, { title: 'Red lamp', labels: 'bug,red', weight: 3 }, reporter)
  await add(project, { title: 'Blue lamp', labels: 'bug', milestone_id: milestone.id }, reporter)
  await add(project, { title: 'Hidden', confidential: true, description: 'of a lamp' }, reporter)
  const assignees = { assignee_ids: [guest.id, reporter.id] }
  await add(other, { title: 'Assigned', ...assignees }, server.root)
  await add(other, { title: 'Closed' }, guest)
  await send('PUT', `/projects/${other.id}/issues/2`, { state_event: 'close' }, server.root)
})

afterAll(() => server.close())

async function send(method: string, path: string, body: object, { token }: { token: string }) {
  const answer = await server.inject(method, path, { token, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

const post = (path: string, body: object, by: { token: string }) => send('POST', path, body, by)

async function add(place: Json, body: object, by: { token: string }): Promise<Json> {
  server.advance(1000)
  return post(`/projects/${place.id}/issues`, body, by)
}

const get = (path: string, by: { token: string }) => server.inject('GET', path, { token: by.token })

async function titles(path: string, by: { token: string } = reporter): Promise<string[]> {
  const { status, body, text } = await get(path, by)
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  return body.map((issue: Json) => issue.title)
}

const all = ['Closed', 'Assigned', 'Hidden', 'Blue lamp', 'Red lamp']

describe('GET /issues', () => {
  it('lists what the caller created, unless told otherwise', async () => {
    expect(await titles('/issues')).toEqual(['Hidden', 'Blue lamp', 'Red lamp'])
    expect(await titles('/issues?scope=created_by_me')).toEqual(['Hidden', 'Blue lamp', 'Red lamp'])
    expect(await titles('/issues?scope=created-by-me')).toEqual(['Hidden', 'Blue lamp', 'Red lamp'])
    expect(await titles('/issues?scope=assigned-to-me', guest)).toEqual(['Assigned'])
    expect(await titles('/issues?scope=all')).toEqual(all)
    expect(await titles(`/issues?author_id=${guest.id}`)).toEqual([])
    expect(await titles(`/issues?author_id=${guest.id}&scope=all`)).toEqual(['Closed'])
  })

  it('asks for a token', async () => {
    expect((await server.inject('GET', '/issues?scope=all')).status).toBe(401)
  })

  it('leaves out what the caller may not see, in the list and in its totals', async () => {
    const stranger = await server.buildUser()
    expect(await titles('/issues?scope=all', stranger)).toEqual([])
    const seen = await get('/issues?scope=all', guest)
    expect(seen.body.map((issue: Json) => issue.title)).toEqual(all.filter((t) => t !== 'Hidden'))
    expect(seen.headers['x-total']).toBe('4')
    expect((await get('/issues?scope=all&search=hidden', guest)).headers['x-total']).toBe('0')
  })

  it('answers 400 for values outside of what is allowed', async () => {
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
      const answer = await get(`/issues?scope=all&${query}`, reporter)
      expect([answer.status, answer.body.error], String(query)).toEqual([400, error])
    }
  })

  it('answers 400 for filters that exclude each other', async () => {
    const answer = await get('/issues?author_id=1&author_username=root', reporter)
    const error = 'author_id, author_username are mutually exclusive'
    expect([answer.status, answer.body]).toEqual([400, { error }])
    const both = await get('/issues?assignee_id=None&assignee_username=root', reporter)
    const wording = 'assignee_id, assignee_username are mutually exclusive'
    expect([both.status, both.body]).toEqual([400, { error: wording }])
  })

  it('never fails on odd input', async () => {
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
      const { status } = await get(`/issues?scope=all&${query}`, reporter)
      expect([200, 400], query).toContain(status)
    }
  })
})

describe('GET /groups/:id/issues', () => {
  it('lists the issues of the group and its subgroups, whoever created them', async () => {
    expect(await titles(`/groups/${group.id}/issues`)).toEqual(all)
    expect(await titles(`/groups/${group.id}/issues?scope=created_by_me`, guest)).toEqual([
      'Closed',
    ])
    const { id } = await server.buildGroup({ visibility: 'private', parent_id: group.id })
    expect(await titles(`/groups/${id}/issues`)).toEqual([])
  })

  it('answers 404 to who may not see the group', async () => {
    const stranger = await server.buildUser()
    const answer = await get(`/groups/${group.id}/issues`, stranger)
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Group Not Found' }])
  })

  it('leaves out archived projects, unless they are asked for', async () => {
    const old = await server.buildProject({ namespace_id: group.id, visibility: 'private' })
    await add(old, { title: 'Old' }, reporter)
    await post(`/projects/${old.id}/archive`, {}, server.root)
    const path = `/groups/${group.id}/issues`
    expect(await titles(path)).toEqual(all)
    expect(await titles(`${path}?non_archived=false`)).toEqual(['Old', ...all])
    expect(await titles('/issues?scope=all')).toEqual(all)
    expect(await titles('/issues?scope=all&non_archived=false')).toEqual(['Old', ...all])
    expect(await titles(`/projects/${old.id}/issues`)).toEqual(['Old'])
    await server.inject('DELETE', `/projects/${old.id}`, { token: server.root.token })
  })
})

describe('GET /projects/:id/issues', () => {
  const filtered = (query: string) => titles(`/projects/${project.id}/issues?${query}`)
  const both = ['Blue lamp', 'Red lamp']

  it('takes every filter in the forms that clients send', async () => {
    const rows: [string, string[]][] = [
      ['state=opened', ['Hidden', ...both]],
      ['state=closed', []],
      ['state=all', ['Hidden', ...both]],
      ['labels=bug,red', ['Red lamp']],
      ['labels[]=bug&labels[]=red', ['Red lamp']],
      ['labels=bug, red', ['Red lamp']],
      ['labels=', ['Hidden', ...both]],
      ['labels=None', ['Hidden']],
      ['labels=none', ['Hidden']],
      ['labels=No+Label', ['Hidden']],
      ['labels=no%2Blabel', ['Hidden']],
      ['labels=ANY', both],
      ['labels=unknown', []],
      ['milestone=v1', ['Blue lamp']],
      ['milestone=none', ['Hidden', 'Red lamp']],
      ['milestone=Any', ['Blue lamp']],
      ['milestone=v2', []],
      ['author_username=root', []],
      ['author_username=nobody', []],
      ['assignee_id=None', ['Hidden', ...both]],
      ['assignee_id=0', ['Hidden', ...both]],
      ['assignee_id=any', []],
      ['assignee_username=nobody', []],
      ['weight=3', ['Red lamp']],
      ['weight=None', ['Hidden', 'Blue lamp']],
      ['weight=any', ['Red lamp']],
      ['iids[]=1&iids[]=2', both],
      ['iids=1,2', both],
      ['iids[]=7', []],
      ['search=LAMP', ['Hidden', ...both]],
      ['search=lamp&in=title', both],
      ['search=lamp&in=description', ['Hidden']],
      ['search=lamp&in=title,description', ['Hidden', ...both]],
      ['search=lamp blue', ['Blue lamp']],
      ['confidential=true', ['Hidden']],
      ['confidential=false', both],
      ['my_reaction_emoji=None', ['Hidden', ...both]],
      ['my_reaction_emoji=Any', []],
      ['sort=asc', ['Red lamp', 'Blue lamp', 'Hidden']],
      ['order_by=updated_at&sort=asc', ['Red lamp', 'Blue lamp', 'Hidden']],
    ]
    for (const [query, expected] of rows) {
      expect(await filtered(encodeURI(query).replaceAll('%252B', '%2B')), query).toEqual(expected)
    }
  })

  it('takes several assignees, of whom all must be assigned', async () => {
    const path = `/projects/${other.id}/issues`
    const names = `assignee_username[]=${guest.username}`
    expect(await titles(`${path}?${names}`)).toEqual(['Assigned'])
    const more = `assignee_username[]=${reporter.username.toUpperCase()}`
    expect(await titles(`${path}?${names}&${more}`)).toEqual(['Assigned'])
    expect(await titles(`${path}?${names}&assignee_username[]=root`)).toEqual([])
    expect(await titles(`${path}?assignee_id=${guest.id}`)).toEqual(['Assigned'])
  })

  it('finds what the caller gave an award', async () => {
    const path = `/projects/${other.id}/issues`
    await post(`${path}/1/award_emoji`, { name: 'tada' }, guest)
    expect(await titles(`${path}?my_reaction_emoji=tada`, guest)).toEqual(['Assigned'])
    expect(await titles(`${path}?my_reaction_emoji=any`, guest)).toEqual(['Assigned'])
    expect(await titles(`${path}?my_reaction_emoji=none`, guest)).toEqual(['Closed'])
    expect(await titles(`${path}?my_reaction_emoji=tada`, reporter)).toEqual([])
  })

  it('takes bounds that count themselves', async () => {
    const { body } = await get(`/projects/${project.id}/issues?sort=asc`, reporter)
    const [first, second] = body.map((issue: Json) => issue.created_at)
    expect(await filtered(`created_after=${second}`)).toEqual(['Hidden', 'Blue lamp'])
    expect(await filtered(`created_before=${first}`)).toEqual(['Red lamp'])
    expect(await filtered(`created_after=${second}&created_before=${second}`)).toEqual([
      'Blue lamp',
    ])
    const changed = body[2].updated_at
    expect(await filtered(`updated_after=${changed}`)).toEqual(['Hidden'])
    expect(await filtered(`updated_before=${changed}`)).toEqual(['Hidden', ...both])
    expect(await filtered('created_before=2001-01-01')).toEqual([])
  })

  it('shows labels as texts, or in full where asked for', async () => {
    const path = `/projects/${project.id}/issues?iids[]=1`
    const plain = (await get(path, reporter)).body[0]
    expect(plain.labels).toEqual(['bug', 'red'])
    expect(plain).toMatchObject({ iid: 1, project_id: project.id, weight: 3 })
    const full = (await get(`${path}&with_labels_details=true`, reporter)).body[0]
    expect(full.labels.map((label: Json) => label.name)).toEqual(['bug', 'red'])
    expect(full.labels[0]).toHaveProperty('text_color')
  })

  it('pages, with the same total on each page', async () => {
    const path = `/projects/${project.id}/issues?per_page=2`
    const [first, second] = [await get(path, reporter), await get(`${path}&page=2`, reporter)]
    expect([first.body.length, second.body.length]).toEqual([2, 1])
    expect([first.headers['x-total'], second.headers['x-total']]).toEqual(['3', '3'])
  })

  it('answers 403 where issues are switched off, and 404 to who may not see the project', async () => {
    const quiet = await server.buildProject({
      visibility: 'public',
      issues_access_level: 'disabled',
    })
    expect((await get(`/projects/${quiet.id}/issues`, reporter)).status).toBe(403)
    const stranger = await server.buildUser()
    expect((await get(`/projects/${project.id}/issues`, stranger)).status).toBe(404)
  })
})

describe('the lists of issues', () => {
  it('take a constant number of queries, at most eight once counts are known', async () => {
    const crowd = await server.buildProject({ namespace_id: group.id, visibility: 'private' })
    const { id } = await post(`/projects/${crowd.id}/milestones`, { title: 'v1' }, server.root)
    const cost = async (path: string) => {
      await get(path, reporter)
      const before = server.app.db.stats.queries
      await get(path, reporter)
      return server.app.db.stats.queries - before
    }
    const paths = [
      `/projects/${crowd.id}/issues?with_labels_details=true`,
      `/projects/${crowd.id}/issues?labels=busy`,
      `/groups/${group.id}/issues`,
      '/issues?scope=all',
      '/issues',
    ]
    const costs: number[][] = []
    for (const count of [1, 6]) {
      for (let made = 0; made < count; made += 1) {
        const assignees = { assignee_ids: [made % 2 ? guest.id : reporter.id], milestone_id: id }
        await add(crowd, { title: `${made}`, labels: `busy,x${made}`, ...assignees }, reporter)
      }
      costs.push([])
      for (const path of paths) costs.at(-1)?.push(await cost(path))
    }
    expect(costs[1]).toEqual(costs[0])
    for (const number of costs.flat()) expect(number).toBeLessThanOrEqual(8)
  })
})

describe('GET /issues in the community tier', () => {
  it('takes one assignee and no weight', async () => {
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
