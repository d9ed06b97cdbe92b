import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import { openBrowser } from '../../testing/clients/web-browser.ts'
import { buildTaggedProject } from '../../testing/git/tagged-project.ts'
import { recordLongTexts } from '../../testing/long-text-reads.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

const long = `Mends #1. ${'**Lorem** ipsum. '.repeat(3000)}`

let server: TestServer
let path: string

beforeAll(async () => {
  server = await buildTestServer()
  const { project } = await buildTaggedProject(server, { visibility: 'public' })
  path = `/projects/${project.id}`
  await created(server, `${path}/issues`, { title: 'Mended' })
  for (const [tag_name, description] of [
    ['v1', long],
    ['v2', `${long}!`],
    ['rc/ü', 'Short'],
  ]) {
    await created(server, `${path}/releases`, { tag_name, description })
    server.advance(1000)
  }
})
afterAll(() => server.close())

/** How many long texts each query has read. */
const read = recordLongTexts(() => server, long.length)

const get = (address: string, query = '') =>
  server.inject('GET', `${path}${address}`, { token: server.root.token, query })

describe('GET /projects/:id/releases', () => {
  it('reads long descriptions one at a time, and renders them as the release alone', async () => {
    const { status, body, headers } = await get('/releases')
    expect(status).toBe(200)
    expect(body.map(({ description }: Json) => description)).toEqual(['Short', `${long}!`, long])
    expect(read).toEqual([1, 1, 1, 1])
    for (const { tag_name: tag, description_html: html } of body) {
      const one = await get(`/releases/${encodeURIComponent(tag)}`)
      expect(html).toBe(one.body.description_html)
      expect(html).toContain(tag === 'rc/ü' ? 'Short' : 'title="Mended"')
    }
    expect(headers.etag).toBeUndefined()
  })

  it('leaves HTML out with `include_html_description=false`, as the release alone does', async () => {
    const query = 'include_html_description=false'
    const { body } = await get('/releases', query)
    expect(body.map(({ description }: Json) => description)).toEqual(['Short', `${long}!`, long])
    expect(read).toEqual([1, 1])
    const one = await get('/releases/v1', query)
    expect(one.body.description).toBe(long)
    for (const release of [...body, one.body])
      expect(release).not.toHaveProperty('description_html')
  })

  it('cuts descriptions and their HTML to `max_description_length`', async () => {
    const shown = async (length: number) => {
      const { body } = await get('/releases', `max_description_length=${length}`)
      return body.map((release: Json) => [release.description, release.description_html])
    }
    expect(await shown(9)).toEqual([
      ['Short', '<p>Short</p>\n'],
      ['Mends #1.', expect.stringMatching(/^<p>Mends <a [^>]*>#1<\/a>\.<\/p>\n$/)],
      ['Mends #1.', expect.stringMatching(/^<p>Mends <a [^>]*>#1<\/a>\.<\/p>\n$/)],
    ])
    read.length = 0
    expect(await shown(0)).toEqual([
      ['', ''],
      ['', ''],
      ['', ''],
    ])
    expect(read).toEqual([])
  })

  it('has an entity tag if it shows short descriptions alone', async () => {
    const { body, headers } = await get('/releases', 'per_page=1')
    expect(body).toMatchObject([{ description: 'Short' }])
    expect(headers.etag).toMatch(/^W\//)
    expect(read).toEqual([])
  })
})

describe('GET /projects/:id/repository/tags', () => {
  it('reads long descriptions of releases one at a time', async () => {
    const { body, headers } = await get('/repository/tags', 'order_by=name&sort=desc')
    const descriptions = body.flatMap(({ release }: Json) => release?.description ?? [])
    expect(descriptions).toEqual([`${long}!`, long, 'Short'])
    expect(read).toEqual([1, 1])
    expect(headers.etag).toBeUndefined()
    const { body: one } = await get('/repository/tags/v1')
    expect(one.release).toEqual({ tag_name: 'v1', description: long })
  })
})

describe('releases with descriptions of a million characters', () => {
  const item = '- [ ] a **b** #1\n'
  const longest = item.repeat(Math.floor(1_000_000 / item.length))
  let own: string
  let page: string

  beforeAll(async () => {
    const { project } = await buildTaggedProject(server, { visibility: 'public' })
    own = `/projects/${project.id}`
    page = `/${project.path_with_namespace}/-/releases`
    for (const tag_name of ['v1', 'v2', 'rc/ü']) {
      await created(server, `${own}/releases`, { tag_name, description: longest })
    }
  })

  it('are rendered in lists up to two million characters in all', async () => {
    const { body } = await server.inject('GET', `${own}/releases`, {})
    expect(body.map(({ description }: Json) => description)).toEqual([longest, longest, longest])
    const items = body.map((release: Json) => release.description_html.split('<li').length - 1)
    const third = Math.floor(2_000_000 / 3 / item.length)
    expect(items).toEqual([third, third, third])
  })

  it('are shown on pages up to what a page has room for', async () => {
    const browser = await openBrowser(server)
    for (const address of [page, `${page}/rc/ü`]) {
      const shown = await browser.open(address)
      expect(shown.status).toBe(200)
      expect(shown.text.length).toBeLessThan(1_000_000)
      expect(shown.text).toContain('is left out')
    }
    const list = await browser.open(page)
    expect(list.texts('.prose + p, .prose p.muted').join()).toContain(
      'more than 100,000 characters',
    )
    const whole = await list.follow('See the whole text')
    expect(whole.address).toBe(`${page}/rc/%C3%BC/description`)
    expect(whole.text).toBe(longest)
  })
})
