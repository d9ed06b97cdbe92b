/*
 * Snippets of users and projects: lists, a snippet with its content and comments, forms, what is refused,
 * and who may see and change what.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let owner: TestUser
let browser: WebBrowser
let stranger: WebBrowser
let visitor: WebBrowser
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser({ name: 'Kim' })
  project = await server.buildProject({ name: 'app', visibility: 'private' }, owner)
  browser = await openBrowser(server, owner)
  stranger = await openBrowser(server, await server.buildUser())
  visitor = await openBrowser(server)
})
afterAll(() => server.close())

const hostile = '<script>alert(1)</script>\n```\n````\n"><img src=x onerror=alert(1)>\u202E🎉'

describe.each(['user', 'project'])('snippets of a %s', (kind) => {
  const base = () => (kind === 'user' ? '' : `/${project.path_with_namespace}/-`)

  it('are created, shown as they are, raw, edited, listed and deleted', async () => {
    const list = kind === 'user' ? '/dashboard/snippets' : `${base()}/snippets`
    // The menu of the page has a link of the same name, to snippets of the user.
    expect((await browser.open(list)).texts('main a')).toContain('New snippet')
    const form = await browser.open(`${base()}/snippets/new`)
    const values = {
      title: `Odd <b> ${kind}`,
      file_name: 'odd.js',
      content: hostile,
      description: 'See **this**',
      visibility: 'private',
    }
    const shown = await form.press('Create snippet', values)
    expect(shown.heading).toBe(`Odd <b> ${kind}`)
    expect(shown.document.querySelectorAll('script:not([src]), img[onerror]')).toEqual([])
    expect(shown.text).toContain('&lt;script&gt;')
    expect(shown.texts('.prose strong')).toEqual(['this'])
    const raw = await browser.send(`${shown.address}/raw`)
    expect(await raw.text()).toBe(hostile)
    expect(raw.headers.get('content-security-policy')).toContain('sandbox')
    expect((await stranger.open(shown.address)).status).toBe(404)
    expect((await browser.open(list)).texts('.rows .title')).toEqual([`Odd <b> ${kind}`])
    const edit = await shown.follow('Edit')
    expect(edit.document.getElementById('content')?.text).toContain('<script>')
    const edited = await edit.press('Save changes', { title: 'Renamed', content: 'const a = 1' })
    expect(edited.heading).toBe('Renamed')
    const again = await browser.open(list)
    expect(again.texts('.rows .title')).toContain('Renamed')
    const gone = await edited.press('Delete snippet')
    expect(gone.address).toBe(list)
    expect((await browser.open(shown.address)).status).toBe(404)
  })

  it('are refused with what was typed', async () => {
    const form = await browser.open(`${base()}/snippets/new`)
    const again = await form.press('Create snippet', { title: '', content: 'Kept' })
    expect(again.status).toBe(422)
    expect(again.document.getElementById('content')?.text.trim()).toBe('Kept')
  })
})

describe('a snippet', () => {
  it('of a project takes comments and reactions', async () => {
    const { body } = await server.inject('POST', `/projects/${project.id}/snippets`, {
      token: owner.token,
      body: { title: 'A', file_name: 'a.md', content: '# Title', visibility: 'private' },
    })
    const path = `/${project.path_with_namespace}/-/snippets/${body.id}`
    const page = await (await browser.open(path)).press('Comment', { body: 'Nice' })
    expect(page.texts('.comment .prose')).toEqual(['Nice'])
    expect(page.texts('.card h1')).toEqual(['Title'])
    expect((await page.press('Comment', { body: ' ' })).status).toBe(422)
    const reacted = await page.press('React with tada')
    expect(reacted.texts('.reactions button[aria-pressed=true]')).toEqual(['🎉 1'])
  })

  it('of a user that is public is listed for all, and lists are for users alone', async () => {
    await server.inject('POST', '/snippets', {
      token: owner.token,
      body: { title: 'For all', file_name: 'a.txt', content: 'x', visibility: 'public' },
    })
    const list = await stranger.open('/explore/snippets')
    expect(list.texts('.rows .title')).toEqual(['For all'])
    const shown = await list.follow('For all')
    expect(shown.texts('a')).not.toContain('Edit')
    expect((await stranger.open('/dashboard/snippets')).texts('.empty h2')).toEqual([
      'No snippets here',
    ])
    expect((await visitor.open('/dashboard/snippets')).address).toContain('/users/sign_in')
    expect((await visitor.open('/snippets/new')).address).toContain('/users/sign_in')
  })
})
