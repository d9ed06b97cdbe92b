import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - GET /broadcast_messages: paginated, newest first; GET, PUT, DELETE /broadcast_messages/:id
 * - POST /broadcast_messages: `message` required, `starts_at` now and `ends_at` an hour later by
 *   default, `color` #E75E40 and `font` #FFFFFF by default; 400 for bad values
 * - `active`: now lies between the two
 * - for administrators only
 * - the pages show active messages
 */

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const path = '/broadcast_messages'
const call = (method: string, where: string, body?: unknown) =>
  callAs(server, method, where, server.root.token, body)

describe('POST /broadcast_messages', () => {
  it('returns 201 with the message, which starts now and ends in an hour', async () => {
    const before = server.app.now()
    const { status, body } = await call('POST', path, { message: 'Deploy *soon*' })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        message: 'Deploy *soon*',
        starts_at: expect.any(String),
        ends_at: expect.any(String),
        color: '#E75E40',
        font: '#FFFFFF',
        active: true,
      },
    ])
    const [start, end] = [Date.parse(body.starts_at), Date.parse(body.ends_at)]
    expect(start).toBeGreaterThanOrEqual(before)
    expect(end - start).toBe(3_600_000)
    expect((await call('GET', `${path}/${body.id}`)).body).toEqual(body)
  })

  it('takes times and colors, and ends an hour after a start that is sent', async () => {
    const starts_at = '2031-01-01T00:00:00.000Z'
    const values = { message: 'Later', starts_at, color: '#abc', font: '#012345' }
    const { body } = await call('POST', path, values)
    const ends_at = '2031-01-01T01:00:00.000Z'
    expect(body).toMatchObject({ ...values, ends_at, active: false })
  })

  it.each<[Json, unknown]>([
    [{}, { error: 'message is missing' }],
    [{ message: '  ' }, { message: { message: ["can't be blank"] } }],
    [
      { message: 'x'.repeat(10_001) },
      { message: { message: ['is too long (maximum is 10000 characters)'] } },
    ],
    [{ message: 'a', starts_at: 'soon' }, { error: 'starts_at is invalid' }],
    [
      { message: 'a', starts_at: '2020-01-02', ends_at: '2020-01-01' },
      { message: { ends_at: ['must be after starts_at'] } },
    ],
    [
      { message: 'a', color: 'red;}', font: '#12345' },
      { message: { color: ['must be a valid color code'], font: ['must be a valid color code'] } },
    ],
  ])('returns 400 for %j', async (values, message) => {
    const { status, body } = await call('POST', path, values)
    expect([status, body]).toEqual([400, message])
  })

  it('returns 403 to users and 401 without a token', async () => {
    const { token } = await server.buildUser()
    for (const method of ['GET', 'POST']) {
      expect((await callAs(server, method, path, token, { message: 'a' })).status).toBe(403)
      expect((await callAs(server, method, path)).status).toBe(401)
    }
  })
})

describe('GET /broadcast_messages', () => {
  it('lists them in pages, newest first', async () => {
    const first = await created(server, path, { message: 'first' })
    const second = await created(server, path, { message: 'second' })
    const { body, headers } = await call('GET', `${path}?per_page=2`)
    expect(body).toEqual([second, first])
    expect(Number(headers['x-total'])).toBeGreaterThanOrEqual(2)
  })
})

describe('PUT and DELETE /broadcast_messages/:broadcast_message_id', () => {
  it('change what is sent, and delete', async () => {
    const made = await created(server, path, { message: 'a', color: '#000000' })
    const one = `${path}/${made.id}`
    const changed = await call('PUT', one, { message: 'b', ends_at: '2040-01-01' })
    const values = { message: 'b', ends_at: '2040-01-01T00:00:00.000Z' }
    expect([changed.status, changed.body]).toEqual([200, { ...made, ...values }])
    expect((await call('PUT', one, { ends_at: '2000-01-01' })).status).toBe(400)
    expect((await call('PUT', one, { message: '' })).status).toBe(400)
    expect((await call('DELETE', one)).status).toBe(204)
    const missing = await call('DELETE', one)
    expect([missing.status, missing.body]).toEqual([
      404,
      { message: '404 Broadcast Message Not Found' },
    ])
    expect((await call('PUT', one, { message: 'c' })).status).toBe(404)
  })
})

describe('pages', () => {
  it('show active messages, escaped and in their colors', async () => {
    const own = await buildTestServer()
    try {
      const page = () => own.inject('GET', '//users/sign_in')
      expect((await page()).text).not.toContain('banner-0')
      const text = '<script>alert(1)</script>'
      await created(own, path, { message: text, color: '#123456', font: '#fedcba' })
      await created(own, path, { message: 'Later', starts_at: '2040-01-01' })
      const shown = await page()
      expect(shown.text).toContain('&lt;script&gt;alert(1)')
      expect(shown.text).not.toContain(text)
      expect(shown.text).not.toContain('Later')
      expect(shown.text).toContain('.banner-0{background:#123456;color:#fedcba}')
      const [, style = ''] = /<style>(.*)<\/style>/.exec(shown.text) ?? []
      const source = `'sha256-${hash('sha256', style, 'base64')}'`
      expect(shown.headers['content-security-policy']).toContain(`style-src 'self' ${source};`)
      own.advance(3_600_000)
      expect((await page()).text).not.toContain('banner-0')
    } finally {
      await own.close()
    }
  })
})
