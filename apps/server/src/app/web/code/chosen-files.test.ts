/*
 * Fields of forms for files: nothing chosen, which browsers send as a file without a name (RFC 7578,
 * 4.2), and files without bytes.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let browser: WebBrowser
let project: Json
let path: string

beforeAll(async () => {
  server = await buildTestServer()
  browser = await openBrowser(server, server.root)
  project = await server.buildProject({ initialize_with_readme: true })
  path = `/${project.path_with_namespace}/-`
})
afterAll(() => server.close())

const nothing = new File([], '', { type: 'application/octet-stream' })
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const empty = (name: string) => new File([], name, { type: 'text/plain' })

async function sizeOf(file: string): Promise<[status: number, size: number]> {
  const at = `/projects/${project.id}/repository/files/${encodeURIComponent(file)}?ref=master`
  const { status, body } = await server.inject('GET', at, { token: server.root.token })
  return [status, body.size]
}

/** Sends a form with a part as its head says. */
async function sendPart(address: string, disposition: string, content: string): Promise<Response> {
  const boundary = 'the-boundary'
  const body = `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n${content}\r\n--${boundary}--\r\n`
  const headers = {
    'private-token': server.root.token,
    'content-type': `multipart/form-data; boundary=${boundary}`,
  }
  return fetch(`${await server.url()}/api/v4${address}`, { method: 'POST', headers, body })
}

describe('POST /<project>/-/upload/<ref>/<folder>', () => {
  it('commits an empty file', async () => {
    const form = await browser.open(`${path}/upload/master`)
    const page = await form.press('Upload', { file: empty('empty.txt') })
    expect([page.status, page.address]).toEqual([200, `${path}/blob/master/empty.txt`])
    expect(await sizeOf('empty.txt')).toEqual([200, 0])
  })

  it('asks for a file if none was chosen', async () => {
    const form = await browser.open(`${path}/upload/master`)
    for (const values of [{ file: nothing }, undefined]) {
      const page = await form.press('Upload', values)
      expect([page.status, page.texts('.summary li')]).toEqual([422, ['Choose a file.']])
    }
    expect((await sizeOf('undefined'))[0]).toBe(404)
  })

  it('commits a file that is called undefined', async () => {
    const form = await browser.open(`${path}/upload/master`)
    const page = await form.press('Upload', { file: empty('undefined') })
    expect(page.address).toBe(`${path}/blob/master/undefined`)
    expect(await sizeOf('undefined')).toEqual([200, 0])
  })
})

describe('POST /<project>/-/replace/<ref>/<path>', () => {
  it('empties a file', async () => {
    const form = await browser.open(`${path}/replace/master/README.md`)
    const unchosen = await form.press('Replace the file', { file: nothing })
    expect([unchosen.status, unchosen.texts('.summary li')]).toEqual([422, ['Choose a file.']])
    expect((await sizeOf('README.md'))[1]).toBeGreaterThan(0)
    const page = await form.press('Replace the file', { file: empty('other.md') })
    expect([page.status, page.address]).toEqual([200, `${path}/blob/master/README.md`])
    expect(await sizeOf('README.md')).toEqual([200, 0])
  })
})

describe('POST /<project>/-/wikis/attachments', () => {
  it('stores an empty file, and asks for one if none was chosen', async () => {
    const form = await browser.open(`${path}/wikis/new`)
    const unchosen = await form.press('Upload', { file: nothing })
    expect([unchosen.status, unchosen.text]).toEqual([
      422,
      expect.stringContaining('Choose a file'),
    ])
    const page = await form.press('Upload', { file: empty('empty.txt') })
    expect([page.status, page.texts('main pre').join()]).toEqual([
      200,
      expect.stringContaining('empty.txt'),
    ])
  })
})

describe('PUT of a picture', () => {
  it('keeps the one that there is if none was chosen', async () => {
    const form = await browser.open(`${path}/edit`)
    const page = await form.press('Save changes', { avatar: nothing, description: 'Kept' })
    expect([page.status, page.texts('.summary li')]).toEqual([200, []])
    const answer = await server.inject('GET', `/projects/${project.id}`, {
      token: server.root.token,
    })
    expect([answer.body.description, answer.body.avatar_url]).toEqual(['Kept', null])
  })

  it('refuses an empty file, and removes the picture if that is chosen', async () => {
    const owner = await server.buildUser()
    const group = await server.buildGroup({}, owner)
    const own = await openBrowser(server, owner)
    const picture = new File([png], 'a.png', { type: 'image/png' })
    for (const [address, api] of [
      ['/-/profile', '/user'],
      [`/groups/${group.full_path}/-/edit`, `/groups/${group.id}`],
    ] as const) {
      const url = async () =>
        (await server.inject('GET', api, { token: owner.token })).body.avatar_url
      const save = async (values: Record<string, string | File>) =>
        (await own.open(address)).press('Save changes', values)
      await save({ avatar: picture })
      expect(await url()).toMatch(/a\.png$/)
      const refused = await save({ avatar: empty('empty.png') })
      expect([refused.status, refused.texts('.summary li').join()]).toEqual([
        422,
        expect.stringContaining('is not an image'),
      ])
      expect(await url()).toMatch(/a\.png$/)
      const removed = await save({ avatar: nothing, remove_avatar: '1' })
      expect([removed.status, await url()]).toEqual([200, null])
    }
  })
})

describe('POST /projects/:id/uploads', () => {
  it('answers 400 if no file was chosen, as if the field was missing', async () => {
    for (const disposition of ['name="file"; filename=""', 'name="file"']) {
      const answer = await sendPart(`/projects/${project.id}/uploads`, disposition, '')
      expect([answer.status, await answer.json()]).toEqual([400, { error: 'file is missing' }])
    }
  })

  it('takes an empty file, and one without a name', async () => {
    const at = `/projects/${project.id}/uploads`
    for (const [disposition, content, name] of [
      ['name="file"; filename="empty.txt"', '', 'empty.txt'],
      ['name="file"; filename=""', 'bytes', 'file'],
      ['name="file"', 'bytes', 'file'],
    ] as const) {
      const answer = await sendPart(at, disposition, content)
      const body = (await answer.json()) as Json
      expect([answer.status, body.url.split('/').at(-1)]).toEqual([201, name])
    }
  })
})
