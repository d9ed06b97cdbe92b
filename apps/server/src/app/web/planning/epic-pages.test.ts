/*
 * Epics of groups: the list, an epic with its children, issues and discussion, forms, what is refused,
 * and who may do what.
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
let group: Json
let project: Json
let path: string

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser({ name: 'Kim' })
  guest = await server.buildUser()
  group = await server.buildGroup({ visibility: 'private' }, owner)
  project = await server.buildProject({ name: 'app', namespace_id: group.id }, owner)
  path = `/groups/${group.full_path}/-/epics`
  await server.addMember(`groups/${group.id}`, guest.id, 10)
  browser = await openBrowser(server, owner)
  guestBrowser = await openBrowser(server, guest)
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

const openEpic = (body: object = {}) =>
  call('POST', `/groups/${group.id}/epics`, { title: 'Epic', ...body })
const openIssue = (title: string) => call('POST', `/projects/${project.id}/issues`, { title })
const epicOf = (iid: number) => call('GET', `/groups/${group.id}/epics/${iid}`)

describe('GET /groups/:group/-/epics', () => {
  it('says what to do first, then lists epics by state, label and words', async () => {
    const empty = await browser.open(path)
    expect(empty.texts('.empty h2')).toEqual(['No epics here'])
    const form = await empty.follow('New epic')
    const shown = await form.press('Create epic', {
      title: 'Faster <b>search',
      labels: 'team',
      start_date: '2026-01-02',
      description: 'All of **it**',
    })
    expect(shown.heading).toBe('Faster <b>search &1')
    expect(shown.texts('.prose strong')).toEqual(['it'])
    expect(shown.texts('.aside time')).toEqual(['Jan 2, 2026'])
    await openEpic({ title: 'Other' })
    const list = await browser.open(`${path}?filter=label:team`)
    expect(list.texts('.rows .title')).toEqual(['Faster <b>search'])
    expect((await browser.open(`${path}?filter=oth`)).texts('.rows .title')).toEqual(['Other'])
    const none = await browser.open(`${path}?state=closed`)
    expect(none.texts('.rows .title')).toEqual([])
  })

  it('is hidden from strangers, and offers guests nothing to change', async () => {
    const stranger = await openBrowser(server, await server.buildUser())
    expect((await stranger.open(path)).status).toBe(404)
    expect((await guestBrowser.open(path)).texts('a')).not.toContain('New epic')
    expect((await browser.open(`${path}/999`)).status).toBe(404)
  })
})

describe('an epic', () => {
  it('is edited, and keeps what was typed when it is refused or somebody was faster', async () => {
    const { iid } = await openEpic()
    const form = await browser.open(`${path}/${iid}/edit`)
    const refused = await form.press('Save changes', { title: ' ', description: 'Kept' })
    expect(refused.status).toBe(422)
    expect(refused.document.getElementById('description')?.text.trim()).toBe('Kept')
    await call('PUT', `/groups/${group.id}/epics/${iid}`, { title: 'Faster' })
    const again = await form.press('Save changes', { title: 'Mine' })
    expect(again.status).toBe(422)
    const saved = await again.press('Save changes', { due_date: '2026-05-06' })
    expect(saved.heading).toBe(`Mine &${iid}`)
    expect(await epicOf(iid)).toMatchObject({ due_date: '2026-05-06', due_date_is_fixed: true })
  })

  it('has child epics and issues added, moved and removed', async () => {
    const { iid } = await openEpic({ title: 'Parent' })
    const other = await openEpic({ title: 'Existing' })
    const open = () => browser.open(`${path}/${iid}`)
    const titles = async (at: number) =>
      (await open()).document
        .querySelectorAll('section.card .rows')
        [at]?.querySelectorAll('.title')
        .map((title) => title.text)
    await (await open()).press('Add epic', { child: 'New child' })
    await (await open()).press('Add epic', { child: `&${other.iid}` })
    const order = await titles(0)
    expect(order?.toSorted()).toEqual(['Existing', 'New child'])
    await (await open()).press('Move down')
    expect(await titles(0)).toEqual(order?.toReversed())
    const issue = await openIssue('Of the epic')
    const reference = `${project.path_with_namespace}#${issue.iid}`
    await (await open()).press('Add issue', { issue: reference })
    expect(await titles(1)).toEqual(['Of the epic'])
    expect((await (await open()).press('Add issue', { issue: 'nonsense' })).status).toBe(422)
    for (const _ of [1, 2, 3]) await (await open()).press('Remove')
    expect(await call('GET', `/groups/${group.id}/epics/${iid}/epics`)).toEqual([])
    expect(await call('GET', `/groups/${group.id}/epics/${iid}/issues`)).toEqual([])
  })

  it('takes comments, reactions, closes with one, and is deleted', async () => {
    const { iid } = await openEpic()
    let page = await (await guestBrowser.open(`${path}/${iid}`)).press('Comment', {
      body: 'Hi *all*',
    })
    expect(page.texts('.comment .prose em')).toEqual(['all'])
    expect(page.texts('button')).not.toContain('Comment and close')
    expect((await page.press('Comment', { body: ' ' })).status).toBe(422)
    page = await (await browser.open(`${path}/${iid}`)).press('React with tada')
    expect(page.texts('.reactions button[aria-pressed=true]')).toEqual(['🎉 1'])
    page = await page.press('Comment and close', { body: 'Done' })
    expect((await epicOf(iid)).state).toBe('closed')
    await page.press('Add a to-do')
    const gone = await page.press('Delete epic')
    expect(gone.address).toBe(path)
  })
})
