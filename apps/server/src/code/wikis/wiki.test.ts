/**
 * What holds of the pages of wikis:
 * - GET /projects/:id/wikis: all pages by title, `content` with `with_content`; not paginated
 * - GET .../:slug: slugs with folders percent-encoded; 404 `404 Wiki Page Not Found`
 * - POST: 201; slug = title with hyphens for blanks, folders and case kept; 400 for a blank or taken
 *   title; formats `markdown` (default), `rdoc`, `asciidoc`
 * - PUT: at least one parameter; another title renames, within the folder unless it has a slash
 * - DELETE: 204, 404
 * - each write is a commit of the caller; names follow the rules for files of repositories
 */
import { listCommits, readBlob } from '@stithy/git'
import { findRepository } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { openWiki } from './wiki-repository.ts'

let server: TestServer
let ann: TestUser
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  ann = await server.buildUser()
})
afterAll(() => server.close())

beforeEach(async () => {
  project = await server.buildProject()
  await server.addMember(`projects/${project.id}`, ann.id, 30)
})

const pathOf = (slug = '') =>
  `/projects/${project.id}/wikis${slug === '' ? '' : `/${encodeURIComponent(slug)}`}`

const get = (slug = '', query = '') =>
  server.inject('GET', pathOf(slug), { token: ann.token, query })
const post = (body: Json) => server.inject('POST', pathOf(), { token: ann.token, body })
const put = (slug: string, body: Json) =>
  server.inject('PUT', pathOf(slug), { token: ann.token, body })
const remove = (slug: string) => server.inject('DELETE', pathOf(slug), { token: server.root.token })

const page = (title: string, content = 'text', more: Json = {}) =>
  created(server, pathOf(), { title, content, ...more }, ann)

async function wikiOf({ id } = project) {
  const row = await findRepository(server.app.db, id)
  if (row === undefined) throw new Error('no project')
  return openWiki(server.app, row)
}

async function lastCommit() {
  const { repository, head = '' } = await wikiOf()
  const [commit] = await listCommits(server.app.git, repository, { tip: head, limit: 1 })
  return commit
}

describe('POST /projects/:id/wikis', () => {
  it('returns 201, and commits the page on master as its caller', async () => {
    const { status, body } = await post({ title: ' My first  page', content: '# Hi\r\n' })
    expect([status, body]).toEqual([
      201,
      { content: '# Hi\r\n', format: 'markdown', slug: 'My-first-page', title: 'My first page' },
    ])
    const { repository, branch, head = '' } = await wikiOf()
    expect(branch).toBe('master')
    const file = await readBlob(server.app.git, repository, head, 'My-first-page.md')
    expect(file?.content.toString()).toBe('# Hi\r\n')
    const commit = await lastCommit()
    expect(commit).toMatchObject({
      message: `${ann.username} created page: My first page`,
      author: { name: ann.name, email: ann.email },
      committer: { name: ann.name },
      parents: [],
    })
  })

  it('keeps folders, case and format', async () => {
    const made = await page('Guides/How To', 'x', { format: 'asciidoc' })
    expect(made).toEqual({
      content: 'x',
      format: 'asciidoc',
      slug: 'Guides/How-To',
      title: 'How To',
    })
    expect((await get('Guides/How-To')).body).toEqual(made)
    expect((await get('guides/how-to')).status).toBe(404)
    expect((await page('r', 'x', { format: 'rdoc' })).format).toBe('rdoc')
  })

  it('returns 400 for what is missing or blank', async () => {
    expect((await post({ content: 'x' })).body).toEqual({ error: 'title is missing' })
    expect((await post({ title: 'x' })).body).toEqual({ error: 'content is missing' })
    expect((await post({ title: ' ', content: 'x' })).body).toEqual({
      message: { title: ["can't be blank"] },
    })
    expect((await post({ title: 'x', content: '\n' })).body).toEqual({
      message: { content: ["can't be blank"] },
    })
    expect((await post({ title: 'x', content: 'x', format: 'html' })).status).toBe(400)
    expect((await wikiOf()).isEmpty).toBe(true)
  })

  it('returns 400 for a title that is taken, also in another case or format', async () => {
    await page('dir/Home page')
    const error = { message: { title: ['has already been taken'] } }
    for (const title of ['dir/Home page', 'dir/home page', 'DIR/HOME-PAGE']) {
      expect((await post({ title, content: 'x' })).body).toEqual(error)
    }
    expect((await post({ title: 'dir/home page', content: 'x', format: 'rdoc' })).status).toBe(400)
    expect((await post({ title: 'Home page', content: 'x' })).status).toBe(201)
    expect((await post({ title: 'dir', content: 'x' })).status).toBe(201)
  })

  it('returns content as it is, whatever Markdown it has', async () => {
    const content = '<script>alert(1)</script>\n[x](javascript:alert(1))\u2028"'
    const made = await page('hostile', content)
    expect(made.content).toBe(content)
    const { body, headers } = await get('hostile')
    expect(body.content).toBe(content)
    expect(headers['content-type']).toMatch(/^application\/json/)
  })

  it('takes contents of up to a million characters', async () => {
    expect((await post({ title: 'big', content: 'x'.repeat(1_000_000) })).status).toBe(201)
    expect((await get('big')).body.content).toHaveLength(1_000_000)
    const { status, body } = await post({ title: 'bigger', content: 'x'.repeat(1_000_001) })
    expect([status, body.message]).toEqual([
      400,
      { content: ['is too long (maximum is 1000000 characters)'] },
    ])
  })

  it('loses nothing of ten writes at once', async () => {
    const titles = Array.from({ length: 10 }, (_, index) => `page ${index}`)
    const made = await Promise.all(titles.map((title) => post({ title, content: title })))
    expect(made.map(({ status }) => status)).toEqual(titles.map(() => 201))
    expect((await get()).body.map(({ title }: Json) => title)).toEqual(titles)
    const same = await Promise.all(titles.map(() => post({ title: 'same', content: 'x' })))
    expect(same.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(same.filter(({ status }) => status === 400)).toHaveLength(9)
  })
})

describe('GET /projects/:id/wikis', () => {
  it('returns an empty list for a wiki that nobody has written to', async () => {
    expect((await get()).body).toEqual([])
    expect((await get('home')).body).toEqual({ message: '404 Wiki Page Not Found' })
  })

  it('lists the pages of all folders by title, with their contents if asked for', async () => {
    await page('zoo/Alpha', 'a')
    await page('home', 'h')
    await page('_sidebar', 's')
    const listed = await get()
    expect(listed.body).toEqual([
      { format: 'markdown', slug: 'zoo/Alpha', title: 'Alpha' },
      { format: 'markdown', slug: '_sidebar', title: '_sidebar' },
      { format: 'markdown', slug: 'home', title: 'home' },
    ])
    expect(listed.headers['x-total']).toBeUndefined()
    const full = await get('', 'with_content=1')
    expect(full.body.map(({ content }: Json) => content)).toEqual(['a', 's', 'h'])
  })

  it('returns 413 beyond the limits', async () => {
    await page('a', 'xx')
    await page('b', 'xx')
    const { config } = server.app
    const { codeLimits } = config
    const limit = (values: Partial<typeof codeLimits.wiki>) => {
      config.codeLimits = { ...codeLimits, wiki: { ...codeLimits.wiki, ...values } }
    }
    try {
      limit({ maxContentBytes: 3 })
      expect((await get('', 'with_content=true')).status).toBe(413)
      expect((await get()).status).toBe(200)
      limit({ maxPages: 1 })
      expect((await get()).status).toBe(413)
      expect((await get('a')).status).toBe(200)
      expect((await put('a', { content: 'y' })).status).toBe(200)
    } finally {
      config.codeLimits = codeLimits
    }
  })
})

describe('PUT /projects/:id/wikis/:slug', () => {
  it('changes the content in one commit', async () => {
    await page('dir/a page', 'old')
    const { status, body } = await put('dir/a-page', { content: 'new', title: 'a page' })
    const slug = 'dir/a-page'
    expect([status, body]).toEqual([
      200,
      { content: 'new', format: 'markdown', slug, title: 'a page' },
    ])
    expect((await lastCommit())?.message).toBe(`${ann.username} updated page: a page`)
    expect((await get(slug)).body).toEqual(body)
  })

  it('renames and moves the page by its title', async () => {
    await page('dir/old', 'text')
    expect((await put('dir/old', { title: 'new name' })).body).toMatchObject({
      slug: 'dir/new-name',
      content: 'text',
    })
    expect((await get('dir/old')).status).toBe(404)
    expect((await put('dir/new-name', { title: 'other/place' })).body.slug).toBe('other/place')
    expect((await put('other/place', { title: '/root page' })).body.slug).toBe('root-page')
    const recased = await put('root-page', { title: 'Root page', content: 'both' })
    expect(recased.body).toMatchObject({ slug: 'Root-page', content: 'both' })
    expect((await get()).body.map(({ slug }: Json) => slug)).toEqual(['Root-page'])
  })

  it('changes the format', async () => {
    await page('a', '= A')
    expect((await put('a', { format: 'asciidoc' })).body).toMatchObject({
      slug: 'a',
      format: 'asciidoc',
    })
    expect((await get()).body).toHaveLength(1)
  })

  it('commits nothing when nothing changes but a title that is the same', async () => {
    await page('a', 'x')
    const { head } = await wikiOf()
    expect((await put('a', { title: 'a', format: 'markdown' })).status).toBe(200)
    expect((await wikiOf()).head).toBe(head)
  })

  it('returns 400 without parameters, for blank ones and for a taken title', async () => {
    await page('a', 'x')
    await page('b', 'x')
    expect((await put('a', {})).body).toEqual({
      error: 'title, content, format are missing, at least one parameter must be provided',
    })
    expect((await put('a', { title: ' ' })).status).toBe(400)
    expect((await put('a', { content: '' })).status).toBe(400)
    expect((await put('a', { title: 'B' })).body).toEqual({
      message: { title: ['has already been taken'] },
    })
    expect((await put('a', { title: '../../x' })).status).toBe(400)
    expect((await put('a', { title: '.git/x' })).status).toBe(400)
  })

  it('returns 404 for a page that does not exist', async () => {
    await page('a', 'x')
    for (const slug of ['b', 'A', 'a.md', '../a', 'a/', './a', `${'x/'.repeat(300)}`]) {
      const { status, body } = await put(slug, { content: 'y' })
      expect([slug, status, body.message]).toEqual([slug, 404, '404 Wiki Page Not Found'])
    }
  })
})

describe('DELETE /projects/:id/wikis/:slug', () => {
  it('returns 204, and leaves the page in the history', async () => {
    await page('dir/a', 'x')
    const { repository, head = '' } = await wikiOf()
    expect((await remove('dir/a')).status).toBe(204)
    expect((await get('dir/a')).status).toBe(404)
    expect((await get()).body).toEqual([])
    expect((await lastCommit())?.message).toBe('root deleted page: a')
    expect(await readBlob(server.app.git, repository, head, 'dir/a.md')).toBeDefined()
    expect((await remove('dir/a')).body).toEqual({ message: '404 Wiki Page Not Found' })
    expect((await page('dir/a', 'y')).content).toBe('y')
  })
})
