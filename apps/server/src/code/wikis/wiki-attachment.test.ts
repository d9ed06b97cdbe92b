/**
 * What holds of attachments of wikis:
 * - POST /projects/:id/wikis/attachments: 201 with `file_name`, `file_path` `uploads/<32 hex>/<name>`,
 *   `branch` and `link`; committed on the branch of the pages or on `branch`; 400 without a file or
 *   for a branch that does not exist; 413 above `max_attachment_size`
 * - `link.url` is served below `/<project>/wikis/` to who may read the wiki, never to be run
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let ann: TestUser
let project: Json

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const script = '<script>alert(1)</script>'

beforeAll(async () => {
  server = await buildTestServer()
  ann = await server.buildUser()
})
afterAll(() => server.close())

beforeEach(async () => {
  project = await server.buildProject()
  await server.addMember(`projects/${project.id}`, ann.id, 30)
})

interface Upload {
  name?: string
  content?: string | Uint8Array<ArrayBuffer>
  branch?: string
  as?: { token: string }
}

async function attach({ name = 'dk.png', content = png, branch, as = ann }: Upload = {}) {
  const form = new FormData()
  form.set('file', new Blob([content]), name)
  if (branch !== undefined) form.set('branch', branch)
  const url = `${await server.url()}/api/v4/projects/${project.id}/wikis/attachments`
  const answer = await fetch(url, {
    method: 'POST',
    body: form,
    headers: { 'private-token': as.token },
  })
  const body: Json = await answer.json()
  return { status: answer.status, body }
}

const read = (url: string, as: { token: string } | undefined = ann, more = {}) =>
  server.inject('GET', `//${project.path_with_namespace}/wikis/${encodeURI(url)}`, {
    ...(as === undefined ? {} : { token: as.token }),
    ...more,
  })

describe('POST /projects/:id/wikis/attachments', () => {
  it('returns 201 with the Markdown of an image or link', async () => {
    const image = await attach()
    const { file_path: path } = image.body
    expect(path).toMatch(/^uploads\/[0-9a-f]{32}\/dk\.png$/)
    expect([image.status, image.body]).toEqual([
      201,
      {
        file_name: 'dk.png',
        file_path: path,
        branch: 'master',
        link: { url: path, markdown: `![dk](${path})` },
      },
    ])
    const other = await attach({ name: '../../my file (1).html', content: script })
    expect(other.body).toMatchObject({ file_name: 'my_file_1_.html' })
    expect(other.body.link.markdown).toBe(`[my_file_1_.html](${other.body.link.url})`)
  })

  it('is not a page, whatever its name', async () => {
    const { body } = await attach({ name: 'page.md', content: 'x' })
    const { body: pages } = await server.inject('GET', `/projects/${project.id}/wikis`, {
      token: ann.token,
    })
    expect(pages).toEqual([])
    expect((await read(body.link.url)).text).toBe('x')
  })

  it('commits to a branch that exists, or to the first of an empty wiki', async () => {
    const first = await attach({ branch: 'start' })
    expect([first.status, first.body.branch]).toEqual([201, 'start'])
    expect((await attach({ branch: 'start' })).status).toBe(201)
    const missing = await attach({ branch: 'other' })
    expect([missing.status, missing.body]).toEqual([
      400,
      { message: "The branch 'other' does not exist." },
    ])
    expect((await attach()).body.branch).toBe('start')
    expect((await attach({ branch: '../x' })).status).toBe(400)
  })

  it('returns 400 for a first branch that git does not take', async () => {
    for (const branch of ['../x', 'a..b', 'x.lock', '-x', 'a b', '@{', 'HEAD\\']) {
      expect([branch, (await attach({ branch })).status]).toEqual([branch, 400])
    }
  })

  it('returns 400 without a file, 403 to reporters and 404 to strangers', async () => {
    const path = `/projects/${project.id}/wikis/attachments`
    const { status } = await server.inject('POST', path, { token: ann.token, body: {} })
    expect(status).toBe(400)
    const bob = await server.buildUser()
    expect((await attach({ as: bob })).status).toBe(404)
    await server.addMember(`projects/${project.id}`, bob.id, 20)
    expect((await attach({ as: bob })).status).toBe(403)
  })

  it('returns 413 for a file above max_attachment_size', async () => {
    await setSetting(server, 'max_attachment_size', 1)
    expect((await attach({ content: 'x'.repeat(1024 * 1024) })).status).toBe(201)
    expect((await attach({ content: 'x'.repeat(1024 * 1024 + 1) })).status).toBe(413)
    await setSetting(server, 'max_attachment_size', 10)
  })
})

describe('GET /<project>/wikis/uploads/<secret>/<filename>', () => {
  it('shows images, and offers other files for download', async () => {
    const { link } = (await attach()).body
    const image = await read(link.url)
    expect([image.status, image.bytes.equals(png)]).toEqual([200, true])
    expect(image.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.length),
      'content-disposition': 'inline; filename="dk.png"',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    for (const name of ['a.html', 'a.svg', 'a.png']) {
      const { body } = await attach({ name, content: script })
      const { headers, text } = await read(body.link.url)
      expect([headers['content-type'], text]).toEqual(['application/octet-stream', script])
      expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`)
    }
  })

  it('streams large files', async () => {
    const content = Buffer.alloc(9 * 1024 * 1024, 'abc')
    const { body } = await attach({ name: 'big.bin', content })
    const { bytes, headers } = await read(body.link.url)
    expect([headers['content-length'], bytes.equals(content)]).toEqual([
      String(content.length),
      true,
    ])
  })

  it('answers HEAD, and 304 to the entity tag', async () => {
    const { link } = (await attach()).body
    const path = `//${project.path_with_namespace}/wikis/${link.url}`
    const head = await server.inject('HEAD', path, { token: ann.token })
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    const headers = { 'if-none-match': String(head.headers.etag) }
    expect((await read(link.url, ann, { headers })).status).toBe(304)
  })

  it('requires the right to read the wiki', async () => {
    const { link } = (await attach()).body
    expect((await read(link.url, await server.buildUser())).status).toBe(404)
    const anonymous = `//${project.path_with_namespace}/wikis/${link.url}`
    expect((await server.inject('GET', anonymous)).status).toBe(404)
    const { token } = server.root
    const path = `/projects/${project.id}`
    await server.inject('PUT', path, { token, body: { wiki_access_level: 'disabled' } })
    expect((await read(link.url)).status).toBe(403)
    const more = { visibility: 'public', wiki_access_level: 'private' }
    await server.inject('PUT', path, { token, body: more })
    expect((await read(link.url, await server.buildUser())).status).toBe(403)
    expect((await read(link.url)).status).toBe(200)
  })

  it('returns 404 for anything else in the wiki, and outside of it', async () => {
    await created(
      server,
      `/projects/${project.id}/wikis`,
      { title: 'uploads/page', content: 'x' },
      ann,
    )
    const { link } = (await attach()).body
    const [, secret = ''] = link.url.split('/')
    for (const path of [
      `uploads/${secret}/other.png`,
      `uploads/${secret}/..`,
      `uploads/${secret}/..%2f..%2fhome.md`,
      `uploads/..%2f${secret}/dk.png`,
      `uploads/${'0'.repeat(32)}/dk.png`,
      `uploads/${secret}/dk.png%00`,
      // A page of the wiki, which no token opens.
      'uploads/page',
      'uploads/page.md',
    ]) {
      const where = `//${project.path_with_namespace}/wikis/${path}`
      expect([path, (await server.inject('GET', where, { token: ann.token })).status]).toEqual([
        path,
        404,
      ])
    }
  })
})
