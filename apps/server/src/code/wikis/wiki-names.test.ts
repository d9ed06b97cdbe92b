/**
 * What names pages of wikis may have: those that files may have, each part of up to 255 bytes with the
 * extension of the format. POST and PUT refuse others with 400 and `{"message": {"title": […]}}`, as
 * they do a blank or taken title. Pages that a push gave such names can be renamed and deleted.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildWorkTree, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  project = await server.buildProject()
})

const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', body?: Json, slug = '') =>
  server.inject(method, `/projects/${project.id}/wikis${slug && `/${encodeURIComponent(slug)}`}`, {
    token: server.root.token,
    body,
  })
const post = (title: string, more: Json = {}) => send('POST', { title, content: 'x', ...more })
const put = (slug: string, body: Json) => send('PUT', body, slug)
const slugs = async () => (await send('GET')).body.map(({ slug }: Json) => slug)

const invalid = 'is invalid'
const tooLong = 'is too long (maximum is 255 bytes for each part)'
const refused = (error: string) => ({ message: { title: [error] } })

const hostile: [title: string, error: string][] = [
  [' ', "can't be blank"],
  ['..', invalid],
  ['../x', invalid],
  ['a/../../x', invalid],
  ['.git/hooks/x', invalid],
  ['.GIT/x', invalid],
  ['git~1/x', invalid],
  ['a/.g\u200cit/x', invalid],
  ['a\\..\\b', invalid],
  ['/', invalid],
  ['a\ufffd', invalid],
  ['x'.repeat(253), tooLong],
  [`uploads/${'ab'.repeat(16)}/x`, 'is reserved for attachments'],
  ['x'.repeat(1025), 'is too long (maximum is 1024 characters)'],
  // A file of that name would be in the way.
  ['page.md/x', 'has already been taken'],
]

describe('POST /projects/:id/wikis', () => {
  it('returns 400 for titles that lead out of the wiki or into git, or are no names', async () => {
    await post('page')
    for (const [title, error] of hostile) {
      const { status, body } = await post(title)
      expect([title, status, body]).toEqual([title, 400, refused(error)])
    }
    expect(await slugs()).toEqual(['page'])
  })

  it('returns 400 for a title with a NUL character', async () => {
    expect((await post('a\0b')).body).toEqual({ error: 'title is invalid' })
  })

  it('takes names of up to 255 bytes with the extension', async () => {
    for (const [format, length] of [
      ['markdown', 252],
      ['rdoc', 250],
      ['asciidoc', 246],
    ] as const) {
      const name = format.slice(0, 1).repeat(length)
      expect((await post(name, { format })).status).toBe(201)
      expect((await post(`${name}x`, { format })).body).toEqual(refused(tooLong))
    }
    expect(await slugs()).toHaveLength(3)
  })
})

describe('PUT /projects/:id/wikis/:slug', () => {
  it('returns 400 for the same titles', async () => {
    await post('page')
    await post('other')
    for (const [title, error] of hostile) {
      const { status, body } = await put('other', { title })
      expect([title, status, body]).toEqual([title, 400, refused(error)])
    }
    expect(await slugs()).toEqual(['other', 'page'])
  })

  it('returns 400 for a format whose extension makes the name too long', async () => {
    const name = 'x'.repeat(250)
    await post(name)
    expect((await put(name, { format: 'asciidoc' })).body).toEqual(refused(tooLong))
    expect((await put(name, { format: 'asciidoc', content: 'new' })).status).toBe(400)
    expect((await send('GET', undefined, name)).body).toMatchObject({ format: 'markdown' })
    expect((await put(name, { format: 'rdoc' })).body).toMatchObject({ slug: name, format: 'rdoc' })
    expect((await put(name, { title: `${name}x` })).body).toEqual(refused(tooLong))
    const renamed = await put(name, { title: `${name}x`, format: 'markdown' })
    expect(renamed.body).toMatchObject({ slug: `${name}x`, format: 'markdown' })
  })
})

describe('pages with a backslash in their name, which a push brought', () => {
  const names = ['back\\slash', 'C:\\x', 'a\\b/c', 'a\\..\\b']

  beforeEach(async () => {
    const files = Object.fromEntries(names.map((name) => [`${name}.md`, name]))
    const tree = await buildWorkTree({ ...files, 'kept\\page.md': 'kept' })
    const { username, token } = server.root
    const path = `${project.path_with_namespace}.wiki`
    const url = remoteUrl(await server.url(), path, username, token)
    await mustGit(tree, 'push', '--quiet', url, 'main')
  })

  it('are deleted', async () => {
    for (const name of names) {
      const deleted = await send('DELETE', undefined, name)
      expect([name, deleted.status]).toEqual([name, 204])
      expect((await send('GET', undefined, name)).status).toBe(404)
    }
    expect(await slugs()).toEqual(['kept\\page'])
  })

  it('are renamed, with or without another content, and not written to under their name', async () => {
    for (const [at, name] of names.entries()) {
      expect((await put(name, { content: 'new' })).body).toEqual(refused(invalid))
      expect((await put(name, { format: 'rdoc' })).body).toEqual(refused(invalid))
      const content = at % 2 === 0 ? name : 'new'
      const body = { title: `/page ${at}`, ...(at % 2 === 0 ? {} : { content }) }
      expect((await put(name, body)).body).toMatchObject({ slug: `page-${at}`, content })
    }
    expect(await slugs()).toEqual(['kept\\page', 'page-0', 'page-1', 'page-2', 'page-3'])
  })
})
