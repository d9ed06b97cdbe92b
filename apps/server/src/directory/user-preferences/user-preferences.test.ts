/**
 * What holds of preferences (`GET` and `PUT /user/preferences`):
 * - they belong to the caller, and start with diffs of all files, whitespace shown;
 * - both are required to set them; a token needs the scope `api` to set and `read_user` to read them;
 * - they go with their user.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let ann: TestUser
beforeAll(async () => {
  server = await buildTestServer()
  ann = await server.buildUser()
})
afterAll(() => server.close())

const get = (token?: string) => server.inject('GET', '/user/preferences', token ? { token } : {})
const put = (token: string, body: object) =>
  server.inject('PUT', '/user/preferences', { token, body })
const both = { view_diffs_file_by_file: true, show_whitespace_in_diffs: false }

describe('GET /user/preferences', () => {
  it('shows the defaults to who has set nothing', async () => {
    expect(await get(ann.token)).toMatchObject({
      status: 200,
      body: {
        id: ann.id,
        user_id: ann.id,
        view_diffs_file_by_file: false,
        show_whitespace_in_diffs: true,
      },
    })
  })

  it('returns 401 without a token', async () => {
    expect((await get()).status).toBe(401)
  })
})

describe('PUT /user/preferences', () => {
  it('sets them for the caller alone, again and again', async () => {
    const other = await server.buildUser()
    for (const changes of [both, { ...both, show_whitespace_in_diffs: true }]) {
      const answer = await put(ann.token, changes)
      expect([answer.status, answer.body]).toEqual([
        200,
        { id: ann.id, user_id: ann.id, ...changes },
      ])
      expect((await get(ann.token)).body).toEqual(answer.body)
    }
    expect((await get(other.token)).body.view_diffs_file_by_file).toBe(false)
  })

  it('returns 400 for a missing or malformed value', async () => {
    for (const body of [
      {},
      { view_diffs_file_by_file: true },
      { show_whitespace_in_diffs: true },
      { ...both, show_whitespace_in_diffs: 'sometimes' },
    ]) {
      expect((await put(ann.token, body)).status).toBe(400)
    }
  })

  it('is not allowed by read_user, which allows to read them', async () => {
    const { body } = await server.inject('POST', `/users/${ann.id}/impersonation_tokens`, {
      token: server.root.token,
      body: { name: 'reader', scopes: ['read_user'] },
    })
    expect((await get(body.token)).status).toBe(200)
    expect((await put(body.token, both)).status).toBe(403)
  })
})

describe('DELETE /users/:id', () => {
  it('deletes the preferences', async () => {
    const user = await server.buildUser()
    await put(user.token, both)
    await server.inject('DELETE', `/users/${user.id}`, { token: server.root.token })
    await server.runJobs()
    const rows = await server.app.db.all('test.preferences', { userId: user.id }, (db, $) =>
      db.selectFrom('userPreferences').selectAll().where('userId', '=', $('userId')),
    )
    expect(rows).toEqual([])
  })
})
