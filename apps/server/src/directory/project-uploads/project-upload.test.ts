import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let guest: TestUser
let project: Json

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const page = '<script>alert(1)</script>'

beforeAll(async () => {
  server = await buildTestServer()
  guest = await server.buildUser()
})
afterAll(() => server.close())

beforeEach(async () => {
  project = await server.buildProject()
  await server.addMember(`projects/${project.id}`, guest.id, 10)
})

interface Upload {
  name?: string
  content?: string | Uint8Array<ArrayBuffer>
  as?: { token: string }
  to?: Json
}

async function upload({ name = 'a.png', content = png, as = guest, to = project }: Upload = {}) {
  const form = new FormData()
  form.set('file', new Blob([content]), name)
  const answer = await fetch(`${await server.url()}/api/v4/projects/${to.id}/uploads`, {
    method: 'POST',
    body: form,
    headers: { 'private-token': as.token },
  })
  const body: Json = await answer.json()
  return { status: answer.status, body }
}

function read(url: string, as: { token: string } | undefined = guest, of = project, more = {}) {
  const path = `//${of.path_with_namespace}${encodeURI(url)}`
  return server.inject('GET', path, { ...(as === undefined ? {} : { token: as.token }), ...more })
}

const folderOf = ({ id }: Json) => join(server.app.config.data, 'uploads', 'projects', String(id))

describe('POST /projects/:id/uploads', () => {
  it('returns 201 with the Markdown of an image', async () => {
    const { status, body } = await upload({ name: 'my face.png' })
    expect(status).toBe(201)
    expect(body.url).toMatch(/^\/uploads\/[0-9a-f]{32}\/my_face\.png$/)
    expect(body).toEqual({ alt: 'my_face', url: body.url, markdown: `![my_face](${body.url})` })
    const html = await created(server, '/markdown', {
      text: body.markdown,
      gfm: true,
      project: project.path_with_namespace,
    })
    expect(html.html).toContain(`src="${project.web_url}${body.url}"`)
  })

  it('returns a link to any other file, whatever its name', async () => {
    const { body } = await upload({ name: 'résumé.png', content: page })
    expect(body.markdown).toBe(`[résumé.png](${body.url})`)
    expect(body.url).toMatch(/\/résumé\.png$/)
  })

  it('accepts signed-in users who are not members of a public project', async () => {
    const open = await server.buildProject({ visibility: 'public' })
    const stranger = await server.buildUser()
    expect((await upload({ as: stranger, to: open })).status).toBe(201)
    expect((await upload({ as: stranger })).status).toBe(404)
  })

  it('returns 400 without a file', async () => {
    for (const body of [{}, { file: 'text' }]) {
      const path = `/projects/${project.id}/uploads`
      expect((await server.inject('POST', path, { token: guest.token, body })).status).toBe(400)
    }
  })

  it('returns 403 while the project is archived', async () => {
    const { url } = (await upload()).body
    const { token } = server.root
    await server.inject('POST', `/projects/${project.id}/archive`, { token })
    expect((await upload()).status).toBe(403)
    expect((await read(url)).status).toBe(200)
  })

  it('returns 413 for a file above max_attachment_size, and keeps nothing of it', async () => {
    await setSetting(server, 'max_attachment_size', 1)
    expect((await upload({ content: 'x'.repeat(1024 * 1024) })).status).toBe(201)
    expect((await upload({ content: 'x'.repeat(1024 * 1024 + 1) })).status).toBe(413)
    expect(await readdir(folderOf(project))).toHaveLength(1)
    await setSetting(server, 'max_attachment_size', 10)
    expect((await upload({ content: 'x'.repeat(10 * 1024 * 1024 + 1) })).status).toBe(413)
  })
})

describe('GET /<project>/uploads/<secret>/<filename>', () => {
  it('shows images, and audio and video', async () => {
    const { url } = (await upload()).body
    const { status, bytes, headers } = await read(url)
    expect([status, bytes.equals(png)]).toEqual([200, true])
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.length),
      'content-disposition': 'inline; filename="a.png"',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    const video = Buffer.from('\0\0\0\x20ftypisom\0\0\x02\0')
    const film = (await upload({ name: 'b.txt', content: video })).body
    expect((await read(film.url)).headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-disposition': 'inline; filename="b.txt"',
    })
  })

  it('only offers other files for download', async () => {
    for (const name of ['a.html', 'a.svg', 'é.png', 'empty']) {
      const { url } = (await upload({ name, content: name === 'empty' ? ' ' : page })).body
      const { status, headers } = await read(url)
      expect([status, headers['content-type']]).toEqual([200, 'application/octet-stream'])
      expect(headers['content-disposition']).toMatch(/^attachment; /)
    }
  })

  it('answers HEAD, and 304 to the entity tag', async () => {
    const { url } = (await upload()).body
    const path = `//${project.path_with_namespace}${url}`
    const head = await server.inject('HEAD', path, { token: guest.token })
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([
      200,
      0,
      String(png.length),
    ])
    const headers = { 'if-none-match': String(head.headers.etag) }
    expect((await read(url, guest, project, { headers })).status).toBe(304)
  })

  it('requires the right to read the project, and the scope `api`', async () => {
    const { url } = (await upload()).body
    expect((await read(url, await server.buildUser())).status).toBe(404)
    expect((await server.inject('GET', `//${project.path_with_namespace}${url}`)).status).toBe(404)
    expect((await read(url, { token: 'wrong' })).status).toBe(401)
    const token = await server.buildToken(guest.id, ['read_user'])
    expect((await read(url, { token })).status).toBe(403)
    const open = await server.buildProject({ visibility: 'public' })
    const shown = (await upload({ as: server.root, to: open })).body
    const anonymous = await server.inject('GET', `//${open.path_with_namespace}${shown.url}`)
    expect(anonymous.status).toBe(200)
    // The file of another project.
    expect((await read(url, server.root, open)).status).toBe(404)
  })

  it('returns 404 for anything that is no upload', async () => {
    const { url } = (await upload()).body
    const [, , secret = ''] = url.split('/')
    for (const path of [
      `/uploads/${secret}/b.png`,
      `/uploads/${secret}/..`,
      `/uploads/${secret}/..%2f${secret}%2fa.png`,
      `/uploads/${secret}/.`,
      `/uploads/${'0'.repeat(32)}/a.png`,
      `/uploads/..%2f${project.id}%2f${secret}/a.png`,
      `/uploads/${secret.toUpperCase()}X/a.png`,
      `/uploads/${secret}/a.png%00`,
    ]) {
      const where = `//${project.path_with_namespace}${path}`
      expect([path, (await server.inject('GET', where, { token: guest.token })).status]).toEqual([
        path,
        404,
      ])
    }
  })

  it('works after a rename and a transfer', async () => {
    const { url } = (await upload()).body
    const group = await server.buildGroup()
    const { token } = server.root
    const path = `/projects/${project.id}`
    await server.inject('PUT', path, { token, body: { path: `renamed-${project.id}` } })
    const body = { namespace: group.id }
    const moved = await server.inject('PUT', `${path}/transfer`, { token, body })
    expect(moved.body.path_with_namespace).toBe(`${group.full_path}/renamed-${project.id}`)
    expect((await read(url, server.root, moved.body)).status).toBe(200)
  })
})

describe('uploads of a project', () => {
  it('are deleted with it', async () => {
    await upload()
    expect(existsSync(folderOf(project))).toBe(true)
    const { token } = server.root
    await server.inject('DELETE', `/projects/${project.id}`, { token })
    await server.runJobs()
    expect(existsSync(folderOf(project))).toBe(false)
  })

  it('go with an issue that is moved to another project', async () => {
    const [first, second] = [(await upload()).body, (await upload({ content: 'b' })).body]
    const path = `/projects/${project.id}/issues`
    const issue = await created(server, path, { title: 'a', description: first.markdown })
    await created(server, `${path}/${issue.iid}/notes`, { body: second.markdown })
    const to = await server.buildProject()
    const where = `${path}/${issue.iid}/move`
    const copy = await created(server, where, { to_project_id: to.id })
    expect(copy.description).toBe(first.markdown)
    expect((await read(first.url, server.root, to)).bytes.equals(png)).toBe(true)
    expect((await read(second.url, server.root, to)).status).toBe(200)
    await server.inject('DELETE', `/projects/${project.id}`, { token: server.root.token })
    await server.runJobs()
    expect((await read(first.url, server.root, to)).status).toBe(200)
  })

  it('are stored as they were sent, and received files are deleted', async () => {
    const content = Buffer.alloc(3_000_000, 'abc')
    const { url } = (await upload({ name: 'big.bin', content })).body
    const stored = await readFile(join(folderOf(project), url.replace('/uploads/', '')))
    expect(stored.equals(content)).toBe(true)
    const received = join(server.app.config.data, 'uploads', 'received')
    await expect.poll(() => readdir(received)).toEqual([])
  })
})
