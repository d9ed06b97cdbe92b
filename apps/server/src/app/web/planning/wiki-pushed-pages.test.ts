/*
 * Pages of wikis as pushes leave them: other encodings, contents that are no text, names below
 * `uploads`, and the history of a page that was moved.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import { buildWorkTree, mustGit, remoteUrl } from '../../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let browser: WebBrowser
let project: Json
let path: string

beforeAll(async () => {
  server = await buildTestServer()
  browser = await openBrowser(server, server.root)
})
afterAll(() => server.close())
beforeEach(async () => {
  project = await server.buildProject()
  path = `/${project.path_with_namespace}/-/wikis`
})

async function push(files: Record<string, string | Buffer>): Promise<void> {
  const { username, token } = server.root
  const tree = await buildWorkTree(files)
  const url = remoteUrl(await server.url(), `${project.path_with_namespace}.wiki`, username, token)
  await mustGit(tree, 'push', '--quiet', url, 'main')
}

const api = (method: 'GET' | 'POST' | 'PUT', slug: string, body?: Json) =>
  server.inject(method, `/projects/${project.id}/wikis${slug && `/${encodeURIComponent(slug)}`}`, {
    token: server.root.token,
    body,
  })

describe('a page that is no text', () => {
  const binary = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0xff])

  it('says so, and has a history, and can be deleted', async () => {
    await push({ 'home.md': 'Home', 'binary.md': binary, 'b.rdoc': binary })
    for (const slug of ['b', 'binary']) {
      const page = await browser.open(`${path}/${slug}`)
      expect([page.status, page.heading]).toEqual([200, slug])
      expect(page.text).toContain('This page is not text')
      const raw = await page.follow('See it as UTF-8')
      expect([raw.status, raw.headers.get('content-type')]).toEqual([
        200,
        'text/plain; charset=utf-8',
      ])
      expect((await page.follow('History')).heading).toBe(`History of ${slug}`)
      expect(page.texts('.heading a')).not.toContain('Edit')
      const edit = await browser.open(`${path}/${slug}/edit`)
      expect([edit.status, edit.address]).toEqual([200, `${path}/${slug}`])
      await page.press('Delete page')
      expect((await browser.open(`${path}/${slug}`)).status).toBe(404)
    }
  })

  it('leaves the other pages as they are, beside which it stands', async () => {
    await push({ 'home.md': 'Home', '_sidebar.md': binary })
    const page = await browser.open(`${path}/home`)
    expect([page.status, ...page.texts('.card .prose')]).toEqual([200, 'Home'])
    expect(page.texts('.aside').join()).toContain('This page is not text')
  })
})

describe('a page in another encoding', () => {
  it('is shown, and is UTF-8 once it was edited', async () => {
    const text = 'Grüße, **日本語**'
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
    const files = {
      'le.md': utf16,
      'be.md': Buffer.from(utf16).swap16(),
      'latin.md': Buffer.from('Grüße', 'latin1'),
    }
    await push(files)
    expect((await api('GET', 'latin')).body.content).toBe('Grüße')
    for (const slug of ['le', 'be']) {
      expect((await api('GET', slug)).body.content).toBe(text)
      const page = await browser.open(`${path}/${slug}`)
      expect([page.status, page.texts('.prose strong')]).toEqual([200, ['日本語']])
      const edited = await (await page.follow('Edit')).press('Save changes', { title: `${slug}-2` })
      expect(edited.texts('.prose strong')).toEqual(['日本語'])
      const saved = await (await edited.follow('Edit')).press('Save changes', { content: 'ü' })
      expect(saved.texts('.prose')).toEqual(['ü'])
    }
  })
})

describe('a page that was moved', () => {
  it('has a history with what it was before, from where its newest version is found', async () => {
    await api('POST', '', { title: 'before', content: 'Once **one**' })
    await api('PUT', 'before', { title: 'dir/after', content: 'Now **two**' })
    const page = await browser.open(`${path}/dir/after`)
    const history = await page.follow('History')
    const links = history.document.querySelectorAll('.rows .title')
    expect(links).toHaveLength(2)
    const then = await browser.open(links[1]?.getAttribute('href') ?? '')
    expect([then.heading, ...then.texts('.prose strong')]).toEqual(['before', 'one'])
    expect((await then.follow('History')).address).toBe(history.address)
    expect((await then.follow('Show the newest version')).texts('.prose strong')).toEqual(['two'])
  })
})

describe('a page below uploads', () => {
  it('is shown, also at its address without -', async () => {
    for (const title of ['uploads/notes', 'uploads/notes/today', 'uploads/a/b/c']) {
      expect((await api('POST', '', { title, content: `At **${title}**` })).status).toBe(201)
      for (const base of [path, path.replace('/-/', '/')]) {
        const page = await browser.open(`${base}/${title}`)
        expect([title, page.status, page.texts('.prose strong')]).toEqual([title, 200, [title]])
      }
    }
  })

  it('is missing if there is none', async () => {
    const secret = '0a'.repeat(16)
    await push({ 'home.md': 'Home', [`uploads/${secret}/b.txt`]: 'attached' })
    const missing = ['uploads', 'uploads/x', 'uploads/x/y', `uploads/${secret}`]
    const odd = [`uploads/${secret}/a.txt`, `uploads/${secret}/a/b`, `uploads/..%2f${secret}/b.txt`]
    for (const name of [...missing, ...odd]) {
      for (const base of [path, path.replace('/-/', '/')]) {
        expect([name, (await browser.open(`${base}/${name}`)).status]).toEqual([name, 404])
      }
    }
  })

  it('is no attachment, which the addresses with and without - lead to', async () => {
    const name = `uploads/${'0a'.repeat(16)}/a-b.txt`
    await push({ 'home.md': 'Home', [name]: 'attached' })
    for (const base of [path, path.replace('/-/', '/')]) {
      const found = await browser.open(`${base}/${name}`)
      expect([found.status, found.text]).toEqual([200, 'attached'])
    }
  })
})
