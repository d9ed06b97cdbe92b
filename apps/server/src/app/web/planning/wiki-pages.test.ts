/*
 * Wikis: pages with folders, the side, forms, what is refused and kept, files, and who may do what.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser, type WebPage } from '../../../testing/clients/web-browser.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let owner: TestUser
let guest: TestUser
let browser: WebBrowser
let project: Json
let path: string

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser({ name: 'Kim' })
  guest = await server.buildUser()
  project = await server.buildProject({ name: 'app', visibility: 'private' }, owner)
  await server.addMember(`projects/${project.id}`, guest.id, 10)
  path = `/${project.path_with_namespace}/-/wikis`
  browser = await openBrowser(server, owner)
})
afterAll(() => server.close())

/** The paths that the links of a text lead to. */
function linksOf(page: WebPage): string[] {
  const links = page.document.querySelectorAll('.prose a')
  return links.map((link) => new URL(link.getAttribute('href') ?? '').pathname)
}

describe('the wiki of a project', () => {
  it('says what to do first, and shows what was written', async () => {
    const empty = await browser.open(path)
    expect(empty.address).toBe(`${path}/home`)
    expect(empty.texts('.empty h2')).toEqual(['No pages yet'])
    const form = await empty.follow('Write the first page')
    const page = await form.press('Create page', {
      content: 'Read **this**, and [how to](guides/install) <script>alert(1)</script>',
    })
    expect(page.heading).toBe('home')
    expect(page.texts('.prose strong')).toEqual(['this'])
    expect(page.document.querySelectorAll('script:not([src])')).toEqual([])
    const [link = ''] = linksOf(page)
    expect(link).toBe(`${path}/guides/install`)
    expect((await browser.open(link)).status).toBe(404)
  })

  it('has pages in folders, which link to each other and stand beside them', async () => {
    const form = await browser.open(`${path}/new`)
    const page = await form.press('Create page', {
      title: 'guides/in"ställ 🎉',
      content: '[home](/home) [beside](other)',
    })
    expect(page.heading).toBe('in"ställ 🎉')
    expect(linksOf(page)).toEqual([`${path}/home`, `${path}/guides/other`])
    await form.press('Create page', { title: '_sidebar', content: '*Aside*' })
    const home = await browser.open(`${path}/home`)
    expect(home.texts('.aside .prose em')).toEqual(['Aside'])
    const list = await home.follow('All pages')
    expect(list.texts('.rows .title')).toContain('in"ställ 🎉')
    expect(home.text).toContain('.wiki.git')
  })

  it('has pages edited, renamed and deleted, and keeps what was typed', async () => {
    const form = await browser.open(`${path}/new`)
    expect((await form.press('Create page', { title: '', content: 'Kept' })).status).toBe(422)
    const page = await form.press('Create page', { title: 'Draft', content: 'One' })
    const edit = await page.follow('Edit')
    const other = await browser.open(edit.address)
    const saved = await edit.press('Save changes', { title: 'Final', content: 'Two' })
    expect(saved.address).toBe(`${path}/Final`)
    expect((await other.press('Save changes', { content: 'Late' })).status).toBe(404)
    const again = await saved.follow('Edit')
    const rival = await browser.open(again.address)
    await again.press('Save changes', { content: 'Three' })
    const refused = await rival.press('Save changes', { content: 'Four' })
    expect(refused.status).toBe(422)
    expect(refused.document.getElementById('content')?.text.trim()).toBe('Four')
    const gone = await (await browser.open(`${path}/Final`)).press('Delete page')
    expect(gone.address).toBe(`${path}/pages`)
    expect((await browser.open(`${path}/Final`)).status).toBe(404)
  })

  it('has a history of each page, with the page as of each commit', async () => {
    const form = await browser.open(`${path}/new`)
    const page = await form.press('Create page', { title: 'told/often', content: 'One **1**' })
    await (await page.follow('Edit')).press('Save changes', { content: 'Two **2**' })
    const history = await (await browser.open(page.address)).follow('History')
    expect(history.address).toBe(`${path}/told/often/history`)
    expect(history.heading).toBe('History of told/often')
    const versions = history.document.querySelectorAll('.rows .title')
    expect(versions).toHaveLength(2)
    const shown = await Promise.all(
      versions.map((link) => browser.open(link.getAttribute('href') ?? '')),
    )
    expect(shown.map((each) => each.texts('.prose strong')[0])).toEqual(['2', '1'])
    expect(shown[1]?.texts('.notice')[0]).toMatch(/^The page as of [0-9a-f]{8}\./)
    expect(shown[1]?.texts('.heading a')).not.toContain('Edit')
    const newest = await shown[1]?.follow('Show the newest version')
    expect(newest?.texts('.prose strong')).toEqual(['2'])
    for (const version of ['0'.repeat(40), 'master', '-x']) {
      for (const shown of [page.address, `${path}/home`]) {
        expect((await browser.open(`${shown}?version_id=${version}`)).status).toBe(404)
      }
    }
  })

  it('shows a page that is called history, rather than one', async () => {
    const form = await browser.open(`${path}/new`)
    await form.press('Create page', { title: 'told', content: 'Told' })
    await form.press('Create page', { title: 'told/history', content: 'Of **Rome**' })
    const page = await browser.open(`${path}/told/history`)
    expect(page.texts('.prose strong')).toEqual(['Rome'])
    expect((await browser.open(`${path}/nothing/history`)).status).toBe(404)
  })

  it('takes files', async () => {
    const form = await browser.open(`${path}/new`)
    const file = new File(['text'], 'notes.txt', { type: 'text/plain' })
    const page = await form.press('Upload', { file })
    const markdown = page.texts('pre')[0] ?? ''
    expect(markdown).toContain('notes.txt')
    const shown = await form.press('Create page', { title: 'With file', content: markdown })
    const [link = ''] = linksOf(shown)
    const response = await browser.send(link)
    expect([response.status, await response.text()]).toEqual([200, 'text'])
  })

  it('is read by guests, who write nothing, and hidden from strangers', async () => {
    const reader = await (await openBrowser(server, guest)).open(`${path}/home`)
    expect(reader.status).toBe(200)
    expect(reader.texts('a')).not.toContain('New page')
    const stranger = await openBrowser(server, await server.buildUser())
    expect((await stranger.open(`${path}/home`)).status).toBe(404)
  })
})
