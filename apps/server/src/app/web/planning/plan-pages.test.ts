/*
 * Labels and milestones of projects and groups, and to-dos: lists, forms, what they refuse, and who may
 * do what.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let owner: TestUser
let guest: TestUser
let browser: WebBrowser
let guestBrowser: WebBrowser
let stranger: WebBrowser
let group: Json
let project: Json
let owners: { name: string; page: string; api: string }[]

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser({ name: 'Kim' })
  guest = await server.buildUser({ name: 'Lee' })
  group = await server.buildGroup({ visibility: 'private' }, owner)
  project = await server.buildProject({ name: 'app', namespace_id: group.id }, owner)
  await server.addMember(`groups/${group.id}`, guest.id, 10)
  browser = await openBrowser(server, owner)
  guestBrowser = await openBrowser(server, guest)
  stranger = await openBrowser(server, await server.buildUser())
  owners = [
    {
      name: 'project',
      page: `/${project.path_with_namespace}/-`,
      api: `/projects/${project.id}`,
    },
    { name: 'group', page: `/groups/${group.full_path}/-`, api: `/groups/${group.id}` },
  ]
})
afterAll(() => server.close())

async function call(method: 'GET' | 'POST' | 'PUT', at: string, body?: object): Promise<Json> {
  const answer = await server.inject(method, at, {
    token: owner.token,
    ...(body === undefined ? {} : { body }),
  })
  if (answer.status >= 400) throw new Error(`${at}: ${answer.status} ${answer.text}`)
  return answer.body
}

function ownerOf(name: string) {
  const found = owners.find((each) => each.name === name)
  if (found === undefined) throw new Error(name)
  return found
}

describe.each(['project', 'group'])('labels of a %s', (name) => {
  it('are created, shown, edited, subscribed to and deleted', async () => {
    const { page, api } = ownerOf(name)
    const title = `"><script>x ${name}`
    const form = await browser.open(`${page}/labels/new`)
    const list = await form.press('Create label', { name: title, color: 'teal', description: 'D' })
    expect(list.address).toBe(`${page}/labels`)
    expect(list.texts('.rows .label')).toContain(title)
    expect(list.document.querySelectorAll('script:not([src])')).toEqual([])
    const edited = await (await list.follow(`Edit ${title}`)).press('Save changes', {
      name: `ui-${name}`,
      color: '#00ff00',
    })
    expect(edited.texts('.rows .label')).toContain(`ui-${name}`)
    expect((await call('GET', `${api}/labels/ui-${name}`)).color).toBe('#00ff00')
    const followed = await edited.press(`Subscribe to ui-${name}`)
    expect((await call('GET', `${api}/labels/ui-${name}`)).subscribed).toBe(true)
    await followed.press(`Unsubscribe from ui-${name}`)
    const gone = await followed.press(`Delete ui-${name}: confirm`)
    expect(gone.texts('.rows .label')).not.toContain(`ui-${name}`)
  })

  it('are refused with what was typed', async () => {
    const { page } = ownerOf(name)
    const form = await browser.open(`${page}/labels/new`)
    const again = await form.press('Create label', { name: 'kept', color: 'no colour' })
    expect(again.status).toBe(422)
    expect(again.document.getElementById('name')?.getAttribute('value')).toBe('kept')
    expect(again.document.getElementById('color')?.getAttribute('aria-invalid')).toBe('true')
  })

  it('are read by guests, and hidden from strangers', async () => {
    const { page, api } = ownerOf(name)
    await call('POST', `${api}/labels`, { name: `seen-${name}`, color: '#111111' })
    const list = await guestBrowser.open(`${page}/labels`)
    expect(list.texts('.rows .label')).toContain(`seen-${name}`)
    expect(list.texts('a')).not.toContain('New label')
    expect(list.texts('button')).not.toContain('Delete')
    expect((await stranger.open(`${page}/labels`)).status).toBe(404)
    expect((await guestBrowser.open(`${page}/labels/new`)).status).toBe(403)
    const fields = { authenticity_token: list.csrfToken, name: 'mine', color: '#222222' }
    const sent = { method: 'POST', body: new URLSearchParams(fields) }
    expect((await guestBrowser.send(`${page}/labels`, sent)).status).toBe(422)
  })
})

it('labels of a project are prioritised, and promoted to the group', async () => {
  const { page, api } = ownerOf('project')
  await call('POST', `${api}/labels`, { name: 'risen', color: '#111111' })
  const list = await browser.open(`${page}/labels`)
  await (await list.follow('Edit risen')).press('Save changes', { priority: '2' })
  expect((await call('GET', `${api}/labels/risen`)).priority).toBe(2)
  await (await browser.open(`${page}/labels`)).press('Promote risen: confirm')
  expect((await call('GET', `/groups/${group.id}/labels/risen`)).name).toBe('risen')
})

describe.each(['project', 'group'])('milestones of a %s', (name) => {
  it('are created, shown, edited, closed, reopened and deleted', async () => {
    const { page } = ownerOf(name)
    const form = await browser.open(`${page}/milestones/new`)
    const shown = await form.press('Create milestone', {
      title: `1.0 <b> ${name}`,
      description: 'First **one**',
      start_date: '2026-01-01',
      due_date: '2026-02-01',
    })
    expect(shown.heading).toBe(`1.0 <b> ${name}`)
    expect(shown.texts('.prose strong')).toEqual(['one'])
    const edited = await (await shown.follow('Edit')).press('Save changes', { title: 'Renamed' })
    expect(edited.heading).toBe('Renamed')
    const closed = await edited.press('Close milestone')
    expect(closed.texts('.badge')).toContain('Closed')
    expect((await browser.open(`${page}/milestones`)).texts('.rows .title')).not.toContain(
      'Renamed',
    )
    const list = await browser.open(`${page}/milestones?state=closed`)
    expect(list.texts('.rows .title')).toContain('Renamed')
    const open = await closed.press('Reopen milestone')
    const gone = await open.press('Delete')
    expect(gone.address).toBe(`${page}/milestones`)
  })

  it('are refused with what was typed, and not found', async () => {
    const { page } = ownerOf(name)
    const form = await browser.open(`${page}/milestones/new`)
    const again = await form.press('Create milestone', { title: ' ', description: 'Kept' })
    expect(again.status).toBe(422)
    expect(again.document.getElementById('description')?.text.trim()).toBe('Kept')
    expect((await browser.open(`${page}/milestones/999`)).status).toBe(404)
    expect((await browser.open(`${page}/milestones/x`)).status).toBe(404)
    expect((await stranger.open(`${page}/milestones`)).status).toBe(404)
    expect((await guestBrowser.open(`${page}/milestones`)).texts('a')).not.toContain(
      'New milestone',
    )
  })
})

it('a milestone shows its issues by state, and a burndown chart', async () => {
  const { page, api } = ownerOf('project')
  const day = (offset: number) =>
    new Date(server.app.now() + offset * 86_400_000).toISOString().slice(0, 10)
  const body = { title: 'Plan', start_date: day(-3), due_date: day(9) }
  const milestone = await call('POST', `${api}/milestones`, body)
  const options = { milestone_id: milestone.id }
  await call('POST', `${api}/issues`, { title: 'Idle', ...options })
  await call('POST', `${api}/issues`, { title: 'Busy', assignee_ids: [owner.id], ...options })
  const { iid } = await call('POST', `${api}/issues`, { title: 'Over', ...options })
  await call('PUT', `${api}/issues/${iid}`, { state_event: 'close' })
  const shown = await browser.open(`${page}/milestones/${milestone.iid}`)
  expect(shown.texts('.thirds section').map((text) => text.split(' #')[0])).toEqual([
    'To do 1 Idle',
    'Doing 1 Busy',
    'Done 1 Over',
  ])
  const chart = shown.document.querySelector('.burndown')?.getAttribute('aria-label') ?? ''
  expect(chart).toContain('2 left')
  const promoted = await shown.press('Promote')
  expect(promoted.status).toBe(200)
  expect(await call('GET', `/groups/${group.id}/milestones?title=Plan`)).toHaveLength(1)
})

describe('GET /dashboard/todos', () => {
  it('lists what is to do, by type and reason, and marks it as done', async () => {
    const { page, api } = ownerOf('project')
    for (const title of ['One', 'Two', 'Three']) {
      await call('POST', `${api}/issues`, { title, assignee_ids: [guest.id] })
    }
    const list = await guestBrowser.open('/dashboard/todos')
    expect(list.texts('.rows .title').map((text) => text.split(' ')[1])).toEqual([
      'Three',
      'Two',
      'One',
    ])
    expect((await list.follow('Mentioned')).texts('.empty h2')).toEqual(['Nothing to do'])
    expect((await list.follow('Issues')).status).toBe(200)
    const [first = ''] = list.texts('.rows .title')
    const rest = await list.press(`Done: ${first}`)
    expect(rest.texts('.rows .title')).toHaveLength(2)
    expect((await rest.follow('Done')).texts('.rows .title')).toEqual([first])
    const none = await rest.press('Mark all as done')
    expect(none.texts('.rows .title')).toEqual([])
    expect(page).toContain('/-')
    const visitor = await openBrowser(server)
    expect((await visitor.open('/dashboard/todos')).address).toContain('/users/sign_in')
  })
})
