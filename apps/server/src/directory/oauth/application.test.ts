import { maxApplications } from '@stithy/core'
import { insertApplication } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - POST /applications: `name`, `redirect_uri`, `scopes` required, scopes may be empty; 201 with id,
 *   application_id, application_name, callback_url, secret; 400 for a bad URI or scope
 * - GET /applications: not paginated, without secrets
 * - DELETE /applications/:id: by the record's id; 204, then 404
 * - all three for administrators only
 * - redirect URIs: several, one in each line; `data`, `vbscript` and `javascript` are refused
 */

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const values = { name: 'App', redirect_uri: 'https://app.test/callback', scopes: 'api read_user' }
const create = (body: object) =>
  callAs(server, 'POST', '/applications', server.root.token, { ...values, ...body })

describe('POST /applications', () => {
  it('returns 201 with the client id and, once, the secret', async () => {
    const { status, body } = await create({})
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      application_id: expect.stringMatching(/^[\w-]{20,}$/),
      application_name: 'App',
      callback_url: 'https://app.test/callback',
      confidential: true,
      trusted: false,
      secret: expect.stringMatching(/^[\w-]{20,}$/),
    })
    const stored = await server.app.db.first('test.app', { id: body.id }, (db, $) =>
      db.selectFrom('oauthApplications').selectAll().where('id', '=', $('id')),
    )
    expect(JSON.stringify(stored)).not.toContain(body.secret)
  })

  it('takes several redirect URIs, one in each line, and each once', async () => {
    const lines = ['https://a.test/x?y=1', 'http://127.0.0.1/cb', 'com.example.app:/cb']
    const { status, body } = await create({ redirect_uri: `${lines.join('\r\n')}\n\n${lines[0]}` })
    expect([status, body.callback_url]).toEqual([201, lines.join('\n')])
  })

  it('takes scopes that are empty, and flags', async () => {
    const { status, body } = await create({ scopes: '', confidential: 'false', trusted: '1' })
    expect([status, body.confidential, body.trusted]).toEqual([201, false, true])
  })

  it.each([
    ['javascript:alert(1)', 'is forbidden by the server.'],
    ['JavaScript:alert(1)', 'is forbidden by the server.'],
    ['data:text/html,x', 'is forbidden by the server.'],
    ['vbscript:x', 'is forbidden by the server.'],
    ['urn:ietf:wg:oauth:2.0:oob', 'is forbidden by the server.'],
    ['/callback', 'must be an absolute URI.'],
    ['//app.test/callback', 'must be an absolute URI.'],
    ['https:app.test', 'must be an absolute URI.'],
    ['https:///app.test', 'must be an absolute URI.'],
    ['app:', 'must be an absolute URI.'],
    ['https://app.test/#x', 'cannot contain a fragment.'],
    ['https://user@app.test/', 'must not contain a user name or password.'],
    ['https://app.test\\@evil.test/', 'must be a valid URI.'],
    ['https://app.test/ x', 'must be a valid URI.'],
    ['https://app;script-src.test/', 'must be a valid URI.'],
    ['https://*.test/', 'must be a valid URI.'],
    ['https://app.test:99999/', 'must be a valid URI.'],
    ['https://äpp.test/', 'must be a valid URI.'],
    [`https://app.test/${'x'.repeat(2048)}`, 'is too long (maximum is 2048 characters)'],
    [' \n ', "can't be blank"],
    [
      Array.from({ length: 21 }, (_, i) => `https://a.test/${i}`).join('\n'),
      'has too many URIs (maximum is 20)',
    ],
  ])('returns 400 for the redirect URI %j', async (uri, text) => {
    const { status, body } = await create({ redirect_uri: uri })
    expect([status, body]).toEqual([400, { message: { redirect_uri: [text] } }])
  })

  it('returns 400 for what else is wrong', async () => {
    expect((await create({ scopes: 'api root' })).body).toEqual({
      message: { scopes: ["doesn't match configured on the server."] },
    })
    expect((await create({ name: ' ' })).body.message).toEqual({ name: ["can't be blank"] })
    expect((await create({ name: 'a\nb' })).body.message).toEqual({ name: ['is invalid'] })
    expect((await create({ name: 'x'.repeat(256) })).status).toBe(400)
    const without = await callAs(server, 'POST', '/applications', server.root.token, {})
    expect(without.body).toEqual({
      error: 'name is missing, redirect_uri is missing, scopes is missing',
    })
  })

  it('returns 400 beyond the maximum number', async () => {
    const own = await buildTestServer()
    try {
      await own.app.db.transaction(async (tx) => {
        for (let count = 0; count < maxApplications; count += 1) {
          await insertApplication(tx, {
            ownerId: null,
            uid: `app-${count}`,
            secretHash: '',
            name: 'App',
            redirectUris: [],
            scopes: [],
            confidential: 1,
            trusted: 0,
            createdAt: 1,
          })
        }
      })
      const { token } = own.root
      const { status, body } = await callAs(own, 'POST', '/applications', token, values)
      expect([status, body]).toEqual([
        400,
        { message: { base: ['Maximum number of applications (1000) exceeded'] } },
      ])
      expect((await callAs(own, 'GET', '/applications', token)).body).toHaveLength(1000)
    } finally {
      await own.close()
    }
  })

  it('is for administrators', async () => {
    const { token } = await server.buildUser()
    expect((await callAs(server, 'POST', '/applications', token, values)).status).toBe(403)
    expect((await callAs(server, 'POST', '/applications', undefined, values)).status).toBe(401)
  })
})

describe('GET /applications', () => {
  it('lists all of them without secrets, whatever the page', async () => {
    const { secret, ...application } = await created(server, '/applications', values)
    const list = await server.inject('GET', '/applications', {
      token: server.root.token,
      query: 'per_page=1&page=7',
    })
    expect(list.status).toBe(200)
    expect(list.body).toContainEqual(application)
    expect(list.text).not.toContain(secret)
    expect(list.headers['x-page']).toBeUndefined()
  })
})

describe('DELETE /applications/:id', () => {
  it('returns 204, then 404, and takes the id of the record', async () => {
    const { id, application_id: uid } = await created(server, '/applications', values)
    const remove = (ref: string | number) =>
      callAs(server, 'DELETE', `/applications/${ref}`, server.root.token)
    expect((await remove(uid)).status).toBe(400)
    expect((await remove(id)).status).toBe(204)
    const again = await remove(id)
    expect([again.status, again.body]).toEqual([404, { message: '404 Application Not Found' }])
    await server.runJobs()
    const left = await server.app.db.all('test.apps', { id }, (db, $) =>
      db.selectFrom('oauthApplications').select('id').where('id', '=', $('id')),
    )
    expect(left).toEqual([])
  })
})
