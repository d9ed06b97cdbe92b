import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - GET, PUT /application/appearance: title, description, logo, header_logo, favicon,
 *   new_project_guidelines, profile_image_guidelines, header_message, footer_message,
 *   message_background_color, message_font_color, email_header_and_footer_enabled
 * - files are images of at most 200 KB
 * - shown on the sign-in page, header and footer message on every page
 * - for administrators only
 */

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const path = '/application/appearance'
const show = async () => (await callAs(server, 'GET', path, server.root.token)).body
const update = (body: object) => callAs(server, 'PUT', path, server.root.token, body)

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

function upload(files: Record<string, Buffer>) {
  const parts = Object.entries(files).flatMap(([name, bytes]) => [
    Buffer.from(
      `--b\r\ncontent-disposition: form-data; name="${name}"; filename="${name}.png"\r\ncontent-type: image/png\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ])
  return server.inject('PUT', path, {
    token: server.root.token,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    bytes: Buffer.concat([...parts, Buffer.from('--b--\r\n')]),
  })
}

/** The files in the data folder, which are those of the appearance alone. */
async function storedFiles() {
  const folder = join(server.app.config.data, 'uploads', 'avatars')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile())
}

const plain = {
  title: '',
  description: '',
  logo: null,
  header_logo: null,
  favicon: null,
  new_project_guidelines: '',
  profile_image_guidelines: '',
  header_message: '',
  footer_message: '',
  message_background_color: '#E75E40',
  message_font_color: '#FFFFFF',
  email_header_and_footer_enabled: false,
}

describe('GET /application/appearance', () => {
  it('has defaults, and is for administrators', async () => {
    expect(await show()).toEqual(plain)
    const { token } = await server.buildUser()
    for (const method of ['GET', 'PUT']) {
      expect((await callAs(server, method, path, token)).status).toBe(403)
      expect((await callAs(server, method, path)).status).toBe(401)
    }
  })

  it('is also found where existing clients misspell it', async () => {
    const { status, body } = await callAs(
      server,
      'GET',
      '/application/appearence',
      server.root.token,
    )
    expect([status, body]).toEqual([200, plain])
  })
})

describe('PUT /application/appearance', () => {
  it('changes what is sent, and clears blank texts', async () => {
    const values = {
      title: 'Our forge',
      new_project_guidelines: 'Be *kind*.',
      profile_image_guidelines: 'Smile.',
      message_background_color: '#112233',
      message_font_color: '#abc',
      email_header_and_footer_enabled: true,
    }
    const { status, body } = await update(values)
    expect([status, body]).toEqual([200, { ...plain, ...values }])
    expect(await show()).toEqual(body)
    const cleared = await update({ title: '', message_font_color: '' })
    expect(cleared.body).toEqual({ ...body, title: '', message_font_color: '#FFFFFF' })
  })

  it('returns 400 for bad colors and long texts', async () => {
    const colors = await update({ message_font_color: 'red}', message_background_color: '#12' })
    expect(colors.body.message).toEqual({
      message_background_color: ['must be a valid color code'],
      message_font_color: ['must be a valid color code'],
    })
    const long = await update({ title: 'x'.repeat(256), header_message: 'x'.repeat(1025) })
    expect(long.body.message).toEqual({
      title: ['is too long (maximum is 255 characters)'],
      header_message: ['is too long (maximum is 1024 characters)'],
    })
    expect((await update({ description: 'x'.repeat(20_000) })).status).toBe(400)
  })

  it('takes pictures, serves them to everyone, and removes them', async () => {
    const { status, body } = await upload({ logo: png, header_logo: png, favicon: png })
    expect([status, body.logo, body.header_logo, body.favicon]).toEqual([
      200,
      '/uploads/-/system/appearance/logo/1/logo.png',
      '/uploads/-/system/appearance/header_logo/1/header_logo.png',
      '/uploads/-/system/appearance/favicon/1/favicon.png',
    ])
    const picture = await server.inject('GET', `/${body.logo}`)
    expect([picture.status, picture.headers['content-type'], picture.bytes]).toEqual([
      200,
      'image/png',
      png,
    ])
    expect(picture.headers['content-security-policy']).toBe("default-src 'none'; sandbox")
    const again = await server.inject('GET', `/${body.logo}`, {
      headers: { 'if-none-match': picture.headers.etag ?? '' },
    })
    expect(again.status).toBe(304)
    const page = (await server.inject('GET', '//users/sign_in')).text
    expect(page).toContain(`<img src="${body.logo}" alt="">`)
    expect(page).toContain(`<img src="${body.header_logo}" alt="Stithy">`)
    expect(page).toContain(`<link rel="icon" href="${body.favicon}">`)
    const removed = await update({ logo: '', favicon: '' })
    expect([removed.body.logo, removed.body.header_logo, removed.body.favicon]).toEqual([
      null,
      body.header_logo,
      null,
    ])
    expect((await server.inject('GET', `/${body.logo}`)).status).toBe(404)
    expect((await server.inject('GET', `/${body.header_logo}`)).status).toBe(200)
    expect(await storedFiles()).toHaveLength(1)
    for (const name of ['other.png', 'constructor']) {
      const where = `//uploads/-/system/appearance/header_logo/1/${name}`
      expect((await server.inject('GET', where)).status).toBe(404)
    }
    const kind = '//uploads/-/system/appearance/constructor/1/x'
    expect((await server.inject('GET', kind)).status).toBe(404)
  })

  it('returns 400 for files that are no images or too large, and keeps the ones before', async () => {
    const before = await show()
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')
    const large = Buffer.concat([png, Buffer.alloc(200 * 1024)])
    const { status, body } = await upload({ logo: svg, header_logo: large, favicon: png })
    expect([status, body.message]).toEqual([
      400,
      {
        logo: [expect.stringContaining('is not an image')],
        header_logo: ['is too big (should be at most 200 KB)'],
      },
    ])
    const empty = await upload({ logo: Buffer.alloc(0) })
    expect([empty.status, empty.body.message]).toEqual([
      400,
      { logo: [expect.stringContaining('is not an image')] },
    ])
    expect(await show()).toEqual(before)
    expect(await storedFiles()).toHaveLength(1)
    await upload({ header_logo: png })
    expect(await storedFiles()).toHaveLength(1)
  })
})

describe('pages', () => {
  it('show title, description and messages, without any markup of users', async () => {
    await update({
      title: 'A <b>title</b>',
      description: 'Read [the rules](https://rules.example). <script>alert(1)</script>',
      header_message: 'Header & co',
      footer_message: 'Footer',
      message_background_color: '#010203',
      message_font_color: '#f0f0f0',
    })
    const page = await server.inject('GET', '//users/sign_in')
    expect(page.text).toContain('<h2>A &lt;b&gt;title&lt;/b&gt;</h2>')
    expect(page.text).toContain('href="https://rules.example"')
    expect(page.text).not.toContain('<script>')
    expect(page.text).toContain('<p class="banner banner-0">Header &amp; co</p>')
    expect(page.text).toContain('<p class="banner banner-1">Footer</p>')
    expect(page.text).toContain('.banner-1{background:#010203;color:#f0f0f0}')
  })
})
