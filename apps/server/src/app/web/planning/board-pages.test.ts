/*
 * Boards of projects and groups: lists with their issues, moving issues between lists, changing lists
 * and boards, what is refused, and who may do what.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser, type WebPage } from '../../../testing/clients/web-browser.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let owner: TestUser
let guest: TestUser
let browser: WebBrowser
let group: Json
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser({ name: 'Kim' })
  guest = await server.buildUser()
  group = await server.buildGroup({ visibility: 'private' }, owner)
  project = await server.buildProject({ name: 'app', namespace_id: group.id }, owner)
  await server.addMember(`groups/${group.id}`, guest.id, 10)
  browser = await openBrowser(server, owner)
  for (const name of ['doing', 'review']) {
    await call('POST', `/groups/${group.id}/labels`, { name, color: '#336699' })
  }
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

/** The titles of the issues by list. */
function cardsOf(page: WebPage): Record<string, string[]> {
  const lists = page.document.querySelectorAll('.board > section')
  return Object.fromEntries(
    lists.map((list) => [
      list.getAttribute('aria-label') ?? '',
      list.querySelectorAll('.cards .title').map((title) => title.text),
    ]),
  )
}

describe.each(['project', 'group'])('boards of a %s', (kind) => {
  const pathOf = () =>
    kind === 'project'
      ? `/${project.path_with_namespace}/-/boards`
      : `/groups/${group.full_path}/-/boards`
  const labelId = async (name: string) =>
    String((await call('GET', `/groups/${group.id}/labels/${name}`)).id)

  it('are created, get lists, and issues move between them', async () => {
    const { iid } = await call('POST', `/projects/${project.id}/issues`, { title: `Move ${kind}` })
    const empty = await browser.open(pathOf())
    expect(empty.texts('.empty h2')).toEqual(['No board yet'])
    let page = await empty.press('Create board', { name: `Work <b>"${kind}` })
    expect(page.heading).toBe(`Work <b>"${kind}`)
    page = await page.press('Add list', { label_id: await labelId('doing') })
    page = await page.press('Add list', { label_id: await labelId('review') })
    expect(Object.keys(cardsOf(page))).toEqual(['Open', 'doing', 'review', 'Closed'])
    expect(cardsOf(page).Open).toContain(`Move ${kind}`)

    const move = async (to: string) => {
      const form = page.document
        .querySelectorAll('form[data-move]')
        .find((each) => each.querySelector('input[name=iid]')?.getAttribute('value') === `${iid}`)
      const value = form
        ?.querySelectorAll('option')
        .find((option) => option.text.trim() === to)
        ?.getAttribute('value')
      const fields = Object.fromEntries(
        (form?.querySelectorAll('input') ?? []).map((input) => [
          input.getAttribute('name') ?? '',
          input.getAttribute('value') ?? '',
        ]),
      )
      const body = new URLSearchParams({ ...fields, to: value ?? '' })
      await browser.send(form?.getAttribute('action') ?? '', { method: 'POST', body })
      page = await browser.open(page.address)
    }
    const issue = () => call('GET', `/projects/${project.id}/issues/${iid}`)
    await move('doing')
    expect(cardsOf(page)).toMatchObject({ doing: [`Move ${kind}`], review: [] })
    await move('review')
    expect((await issue()).labels).toEqual(['review'])
    await move('Closed')
    expect(await issue()).toMatchObject({ state: 'closed', labels: ['review'] })
    await move('doing')
    expect((await issue()).state).toBe('opened')
    expect((await issue()).labels).toEqual(['doing'])
    await move('Open')
    expect((await issue()).labels).toEqual([])
    expect(cardsOf(page).Open).toContain(`Move ${kind}`)
  })

  it('have their lists moved and removed', async () => {
    const page = await (await browser.open(pathOf())).press('Move right')
    expect(Object.keys(cardsOf(page))).toEqual(['Open', 'review', 'doing', 'Closed'])
    const fewer = await page.press('Remove list')
    expect(Object.keys(cardsOf(fewer))).toEqual(['Open', 'doing', 'Closed'])
  })

  it('are refused, renamed and deleted', async () => {
    const form = await browser.open(pathOf())
    expect((await form.press('Add list')).status).toBe(422)
    expect((await form.press('Create board', { name: ' ' })).status).toBe(422)
    const renamed = await form.press('Rename board', { name: 'Renamed' })
    expect(renamed.heading).toBe('Renamed')
    expect((await browser.open(`${pathOf()}/99999`)).status).toBe(404)
    const reader = await (await openBrowser(server, guest)).open(pathOf())
    expect(reader.heading).toBe('Renamed')
    expect(reader.texts('button')).not.toContain('Add list')
    const stranger = await openBrowser(server, await server.buildUser())
    expect((await stranger.open(pathOf())).status).toBe(404)
    await renamed.press('Create board', { name: 'Second' })
    const gone = await (await browser.open(pathOf())).press('Delete board')
    expect(gone.status).toBe(200)
  })
})

describe('the order of issues on the board of a project', () => {
  it('is changed by buttons, and kept where an issue goes to another list', async () => {
    const own = await server.buildProject({ name: 'ordered', namespace_id: group.id }, owner)
    for (const title of ['a', 'b', 'c']) {
      await call('POST', `/projects/${own.id}/issues`, { title })
    }
    const path = `/${own.path_with_namespace}/-/boards`
    let page = await (await browser.open(path)).press('Create board', { name: 'Plan' })
    expect(cardsOf(page).Open).toEqual(['c', 'b', 'a'])
    page = await page.press('Move up: #1')
    expect(cardsOf(page).Open).toEqual(['c', 'a', 'b'])
    page = await page.press('Move down: #3')
    expect(cardsOf(page).Open).toEqual(['a', 'c', 'b'])
    expect(page.texts('.cards button')).not.toContain('Move up: #1')
    const buttons = page.document.querySelectorAll('.cards button[aria-label]')
    const names = buttons.map((button) => button.getAttribute('aria-label'))
    expect(names).not.toContain('Move up: #1')
    expect(names).not.toContain('Move down: #2')
    const [issue] = await call('GET', `/projects/${own.id}/issues?search=c`)
    const fields = { project: own.id, iid: issue.iid, from: 'open', to: 'closed' }
    await browser.send(`${page.address}/move`, {
      method: 'POST',
      body: new URLSearchParams({ ...fields, authenticity_token: page.csrfToken }),
    })
    const closed = await browser.open(page.address)
    expect(cardsOf(closed)).toMatchObject({ Open: ['a', 'b'], Closed: ['c'] })
  })

  it('has no place beside issues of other projects, or beside deleted ones', async () => {
    const own = await server.buildProject({ name: 'refused', namespace_id: group.id }, owner)
    await call('POST', `/projects/${own.id}/issues`, { title: 'a' })
    const path = `/${own.path_with_namespace}/-/boards`
    const page = await (await browser.open(path)).press('Create board', { name: 'Plan' })
    const body = { project: own.id, iid: '1', before: '1', authenticity_token: page.csrfToken }
    const answer = await browser.send(`${page.address}/move`, {
      method: 'POST',
      body: new URLSearchParams(body),
    })
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain('One of these issues is no longer there.')
  })
})
