/*
 * Search in all contexts, home, activity and the pages of users: what they show to whom, what is
 * switched off, empty states and hostile texts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let owner: TestUser
let browser: WebBrowser
let group: Json
let project: Json

const call = (method: string, path: string, body: object = {}) =>
  server.inject(method, path, { token: owner.token, body })

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser({ name: 'Ann', username: 'ann' })
  browser = await openBrowser(server, owner)
  group = await server.buildGroup({ path: 'acme' }, owner)
  project = await server.buildProject({ name: 'rocket', namespace_id: group.id }, owner)
  const at = `/projects/${project.id}`
  await call('POST', `${at}/issues`, {
    title: 'Engine <img src=x> stalls',
    description: 'Once the engine is cold',
    assignee_ids: [owner.id],
  })
  await call('POST', `${at}/issues/1/notes`, { body: 'A cold engine' })
  await call('POST', `${at}/milestones`, { title: 'Engine 2' })
  await call('POST', `${at}/repository/commits`, {
    branch: 'master',
    commit_message: 'Add the engine',
    actions: [
      { action: 'create', file_path: 'src/engine.ts', content: '// one\n\nstart("<b>engine")\n' },
    ],
  })
  await server.runJobs()
})
afterAll(() => server.close())

const titles = (page: { texts: (selector: string) => string[] }) => page.texts('.rows .title')

describe('GET /search', () => {
  it('asks for a text, and sends visitors to sign in', async () => {
    expect((await browser.open('/search')).texts('.empty h2')).toEqual([
      'What are you looking for?',
    ])
    const visitor = await openBrowser(server)
    expect((await visitor.open('/search?search=engine')).address).toContain('/users/sign_in')
  })

  it.each([
    ['/search?scope=issues', ['Engine <img src=x> stalls']],
    ['/search?scope=milestones', ['Engine 2']],
    ['/search?scope=commits', ['Add the engine']],
    ['/groups/acme/-/search?scope=issues', ['Engine <img src=x> stalls']],
    ['/acme/rocket/-/search?scope=notes', ['issue 1']],
    ['/search?group_id=acme&scope=milestones', ['Engine 2']],
    ['/search?project_id=acme%2Frocket&scope=commits', ['Add the engine']],
  ])('finds by %s', async (address, expected) => {
    const found = await browser.open(`${address}&search=engine`)
    expect(titles(found)).toEqual(expected)
    expect(found.text).not.toContain('<img src=x>')
  })

  it('finds projects and users', async () => {
    expect(titles(await browser.open('/search?search=rocket'))).toEqual(['acme/rocket'])
    expect(titles(await browser.open('/search?search=ann&scope=users'))).toEqual(['Ann'])
  })

  it('shows the lines around what was found in code, with links to them', async () => {
    const shown = await browser.open('/search?search=engine&scope=blobs')
    expect(shown.texts('.hits a')).toEqual(['1', '2', '3'])
    expect(shown.texts('.hits mark')).toEqual(['engine'])
    const link = shown.document.querySelector('.card h2 a')?.getAttribute('href')
    expect(link).toBe('/acme/rocket/-/blob/master/src/engine.ts#L3')
  })

  it('says when nothing is found, or a scope is switched off', async () => {
    const none = await browser.open('/search?search=%3Cscript%3E&scope=issues')
    expect(none.texts('.empty h2')).toEqual(['Nothing found for “<script>”'])
    const closed = await server.buildProject({ issues_enabled: false }, owner)
    const off = await browser.open(
      `/${closed.path_with_namespace}/-/search?search=engine&scope=issues`,
    )
    expect(off.status).toBe(200)
    expect(off.texts('.notice p')[0]).toContain('switched it off')
  })
})

describe('GET /', () => {
  it('shows what needs the user, their projects and what they did', async () => {
    const home = await browser.open('/')
    expect(home).toMatchObject({ status: 200, heading: 'Hello, Ann' })
    expect(home.texts('.card > header h2')).toEqual([
      'To-do list',
      'Issues assigned to you',
      'What you did',
    ])
    expect(home.texts('.aside .title')).toContain('acme/rocket')
    expect(home.text).not.toContain('<img src=x>')
  })

  it('tells newcomers what to do next', async () => {
    const home = await (await openBrowser(server, await server.buildUser())).open('/')
    expect(home.texts('.empty h2')).toEqual(['Nothing to do', 'No activity yet'])
  })
})

describe('the pages of a user', () => {
  it('show others what they may see, and groups and stars to oneself alone', async () => {
    const other = await openBrowser(server, await server.buildUser())
    const seen = await other.open('/ann')
    expect(seen.texts('.tabs a')).toEqual(['Activity', 'Personal projects'])
    expect(seen.texts('.empty h2')).toEqual(['No activity yet'])
    expect((await other.open('/users/ann/groups')).status).toBe(404)
    expect(titles(await browser.open('/users/ann/groups'))).toEqual(['acme'])
    expect((await other.open('/nobody-of-that-name')).status).toBe(404)
  })

  it('show activity with links', async () => {
    const own = await browser.open('/acme/rocket/-/activity')
    const links = own.document.querySelectorAll('.rows a').map((a) => a.getAttribute('href'))
    const comment = /^\/acme\/rocket\/-\/issues\/1\?note_id=(\d+)#note_\1$/
    expect(links.some((href) => comment.test(href ?? ''))).toBe(true)
    expect(links).toContain('/acme/rocket/-/tree/master')
    expect((await browser.open('/dashboard/activity')).texts('.rows li').length).toBeGreaterThan(3)
  })

  it('say that a comment was deleted', async () => {
    const notes = `/projects/${project.id}/issues/1/notes`
    const { token } = owner
    const { body } = await server.inject('POST', notes, { token, body: { body: 'Never mind' } })
    await server.inject('DELETE', `${notes}/${body.id}`, { token })
    const activity = await browser.open('/acme/rocket/-/activity')
    expect(activity.texts('.rows li').join()).toContain('(the comment was deleted)')
  })
})
