/*
 * Lists of issues of a project, a group and a user: what they show, filters as a text and as menus, and
 * changes of several issues at once.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let owner: TestUser
let guest: TestUser
let browser: WebBrowser
let group: Json
let project: Json
let path: string

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser({ name: 'Kim' })
  guest = await server.buildUser({ name: 'Lee' })
  group = await server.buildGroup({ visibility: 'private' }, owner)
  project = await server.buildProject({ name: 'app', namespace_id: group.id }, owner)
  path = `/${project.path_with_namespace}/-/issues`
  await server.addMember(`projects/${project.id}`, guest.id, 10)
  browser = await openBrowser(server, owner)
  await call('POST', '/labels', { name: 'bug', color: '#ff0000' })
  await call('POST', '/labels', { name: 'good first', color: '#00ff00' })
  const milestone = await call('POST', '/milestones', { title: '1.0 beta' })
  await openIssue('Crash', {
    labels: 'bug,good first',
    milestone_id: milestone.id,
    assignee_ids: [owner.id],
    due_date: '2020-01-02',
    weight: 3,
    description: '- [x] one\n- [ ] two',
  })
  await openIssue('Slow', { labels: 'bug', confidential: true })
  await openIssue('Ugly')
  const { iid } = await openIssue('Gone')
  await call('PUT', `/issues/${iid}`, { state_event: 'close' })
})
afterAll(() => server.close())

async function call(method: 'GET' | 'POST' | 'PUT', at: string, body?: object): Promise<Json> {
  const answer = await server.inject(method, `/projects/${project.id}${at}`, {
    token: owner.token,
    ...(body === undefined ? {} : { body }),
  })
  if (answer.status >= 400) throw new Error(`${at}: ${answer.status} ${answer.text}`)
  return answer.body
}

const openIssue = (title: string, body: object = {}) => call('POST', '/issues', { title, ...body })
const titles = '.rows .title'

describe('GET /-/issues', () => {
  it('shows the open issues with labels, plans and figures, and counts the states', async () => {
    const page = await browser.open(path)
    expect(page.texts(titles)).toEqual(['Ugly', 'Slow', 'Crash'])
    expect(page.texts('[aria-label=States] a')).toEqual(['Open 3', 'Closed 1', 'All 4'])
    const row = page.document.querySelectorAll('.rows > li').at(-1)?.text ?? ''
    for (const text of ['bug', 'good first', '1.0 beta', 'Jan 2, 2020', '1 of 2', '#1']) {
      expect(row).toContain(text)
    }
    expect((await page.follow('Closed 1')).texts(titles)).toEqual(['Gone'])
  })

  it.each([
    ['label:bug', ['Slow', 'Crash']],
    ['label:bug label:"good first"', ['Crash']],
    ['milestone:"1.0 beta"', ['Crash']],
    ['milestone:None', ['Ugly', 'Slow']],
    ['assignee:me', ['Crash']],
    ['assignee:none', ['Ugly', 'Slow']],
    ['is:confidential', ['Slow']],
    ['weight:3', ['Crash']],
    ['slow', ['Slow']],
    ['label:bug slow', ['Slow']],
    ['author:@nobody', []],
  ])('filters by %s', async (filter, expected) => {
    const page = await browser.open(`${path}?filter=${encodeURIComponent(filter)}`)
    expect(page.texts(titles)).toEqual(expected)
    const typed = page.document.querySelector('.filter-bar input[name=filter]')
    expect(typed?.getAttribute('value')).toBe(filter)
  })

  it('filters by menus, which change the text and keep the state', async () => {
    const page = await (await browser.open(`${path}?state=all`)).follow('bug')
    expect(page.texts(titles)).toEqual(['Slow', 'Crash'])
    const both = await page.follow('1.0 beta')
    expect(both.address).toContain('state=all')
    expect(both.texts(titles)).toEqual(['Crash'])
    expect((await both.follow('Me')).texts(titles)).toEqual(['Crash'])
    expect((await page.follow('Oldest')).texts(titles)).toEqual(['Crash', 'Slow'])
  })

  it('takes the parameters of existing installations', async () => {
    const page = await browser.open(`${path}?label_name[]=bug&search=slow`)
    expect(page.texts(titles)).toEqual(['Slow'])
  })

  it('says what to do where nothing matches', async () => {
    const page = await browser.open(`${path}?filter=nothing-at-all`)
    expect(page.texts('.empty h2')).toEqual(['No issue matches'])
    const odd = await browser.open(`${path}?filter=${encodeURIComponent('"><script>\u202E🎉 x:')}`)
    expect(odd.status).toBe(200)
    expect(odd.document.querySelectorAll('script:not([src])')).toEqual([])
  })

  it('shows guests what they may read, without the form for several', async () => {
    const page = await (await openBrowser(server, guest)).open(path)
    expect(page.texts(titles)).toEqual(['Ugly', 'Crash'])
    expect(page.texts('button')).not.toContain('Update selected issues')
  })
})

describe('POST /-/issues/bulk_update', () => {
  it('changes the selected issues', async () => {
    const first = await openIssue('First', { labels: 'bug' })
    const second = await openIssue('Second')
    const page = await (await browser.open(path)).press('Update selected issues', {
      'iids[]': [String(first.iid), String(second.iid)],
      state_event: 'close',
      add_labels: 'ui',
      remove_labels: 'BUG',
      assignees: guest.username,
    })
    expect(page.address).toBe(path)
    for (const { iid } of [first, second]) {
      expect(await call('GET', `/issues/${iid}`)).toMatchObject({
        state: 'closed',
        labels: ['ui'],
        assignees: [{ id: guest.id }],
      })
    }
  })

  it('says what is wrong', async () => {
    const form = await browser.open(path)
    const none = await form.press('Update selected issues', { state_event: 'close' })
    expect(none.status).toBe(422)
    const values = { 'iids[]': ['1'], assignees: '@nobody' }
    expect((await form.press('Update selected issues', values)).status).toBe(422)
  })
})

describe('lists of several projects', () => {
  it('of a group name the project', async () => {
    const page = await browser.open(`/groups/${group.full_path}/-/issues`)
    expect(page.texts(titles)).toContain('Crash')
    expect(page.texts('.rows .details').join()).toContain(`${project.path_with_namespace}#1`)
    const stranger = await openBrowser(server, await server.buildUser())
    expect((await stranger.open(`/groups/${group.full_path}/-/issues`)).status).toBe(404)
  })

  it('of the viewer are those assigned and opened', async () => {
    const page = await browser.open('/dashboard/issues')
    expect(page.texts(titles)).toEqual(['Crash'])
    expect((await page.follow('Opened by you')).texts(titles)).toContain('Ugly')
    const visitor = await openBrowser(server)
    expect((await visitor.open('/dashboard/issues')).address).toContain('/users/sign_in')
  })
})
