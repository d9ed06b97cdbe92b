/**
 * The history of pages of wikis: `GET /projects/:id/wikis/:slug/commits` and `version` of
 * `GET /projects/:id/wikis/:slug`, which follow a page through its moves by the API and by pushes.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildWorkTree, commit, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
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

const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path = '', body?: Json) =>
  server.inject(method, `/projects/${project.id}/wikis${path}`, { token: server.root.token, body })
const post = (title: string, content: string) => send('POST', '', { title, content })
const put = (slug: string, body: Json) => send('PUT', `/${encodeURIComponent(slug)}`, body)

async function commits(slug: string, query = ''): Promise<Json[]> {
  return (await send('GET', `/${encodeURIComponent(slug)}/commits${query}`)).body
}

/** The messages of a page's commits, without who made them. */
async function messages(slug: string, query = '') {
  return (await commits(slug, query)).map(({ title }) => title.replace('root ', ''))
}

const contentAt = async (slug: string, version: string) =>
  (await send('GET', `/${encodeURIComponent(slug)}?version=${version}`)).body.content

describe('GET /projects/:id/wikis/:slug/commits', () => {
  it('follows a page that was renamed, moved, and written anew in the same commit', async () => {
    await post('first', 'One')
    await put('first', { title: 'second' })
    await put('second', { content: 'Two' })
    await put('second', { title: 'guides/third', content: 'Something else' })
    await put('guides/third', { format: 'rdoc' })
    const all = [
      'updated page: third',
      'updated page: third',
      'updated page: second',
      'updated page: second',
      'created page: first',
    ]
    expect(await messages('guides/third')).toEqual(all)
    const pages = await Promise.all(
      [1, 2, 3].map((page) => messages('guides/third', `?per_page=2&page=${page}`)),
    )
    expect(pages).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)])
  })

  it('is not that of another page with the same content, nor of one that was replaced', async () => {
    await post('one', 'The same text')
    await post('two', 'The same text')
    expect(await messages('two')).toEqual(['created page: two'])
    await send('DELETE', '/one')
    await post('one', 'Again')
    expect(await messages('one')).toEqual([
      'created page: one',
      'deleted page: one',
      'created page: one',
    ])
  })

  it('follows what a push moved', async () => {
    const text = 'A line\n'.repeat(20)
    const tree = await buildWorkTree({ 'a.md': text })
    await mustGit(tree, 'mv', 'a.md', 'b.md')
    await commit(tree, { 'b.md': `${text}Another line\n` }, 'Move')
    const path = `${project.path_with_namespace}.wiki`
    const { username, token } = server.root
    const remote = remoteUrl(await server.url(), path, username, token)
    await mustGit(tree, 'push', '--quiet', remote, 'main')
    expect(await messages('b')).toEqual(['Move', 'Initial commit'])
  })
})

describe('GET /projects/:id/wikis/:slug?version', () => {
  it('shows a page as of each of its commits, whatever it was called then', async () => {
    await post('first', 'One')
    await put('first', { title: 'second', content: 'Two' })
    await put('second', { title: 'guides/third', content: 'Three' })
    const ids = (await commits('guides/third')).map(({ id }) => id)
    const contents = await Promise.all(ids.map((id) => contentAt('guides/third', id)))
    expect(contents).toEqual(['Three', 'Two', 'One'])
    const { body } = await send('GET', `/guides%2Fthird?version=${ids[2]}`)
    expect(body).toEqual({ content: 'One', format: 'markdown', slug: 'first', title: 'first' })
    expect((await send('GET', `/fourth?version=${ids[2]}`)).status).toBe(404)
  })
})
