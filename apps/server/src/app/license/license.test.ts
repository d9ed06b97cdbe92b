import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { countActiveUsersJob } from './license.jobs.ts'

/*
 * Statements covered:
 * - GET /license: the current one, with `plan`, `active_users`, `historical_max`, `overage`...
 * - GET /licenses: all of them, without `active_users`; empty when there is none
 * - POST /license: 400 with the reason; DELETE /license/:id: 404
 * - for administrators only
 */

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown) =>
  callAs(server, method, path, server.root.token, body)

describe('GET /license', () => {
  it('presents the configured tier as the plan, for any number of users', async () => {
    const { status, body } = await call('GET', '/license')
    expect([status, body]).toEqual([
      200,
      {
        id: 1,
        plan: 'ultimate',
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        starts_at: body.created_at.slice(0, 10),
        expires_at: null,
        historical_max: 1,
        expired: false,
        overage: 0,
        user_limit: 0,
        active_users: 1,
        licensee: {},
        add_ons: {},
      },
    ])
  })

  it('counts active users, and keeps their highest number', async () => {
    const user = await server.buildUser()
    await countActiveUsersJob.run(server.app, null, new AbortController().signal, null as never)
    await call('POST', `/users/${user.id}/block`)
    expect((await call('GET', '/license')).body).toMatchObject({
      active_users: 1,
      historical_max: 2,
    })
  })

  it('returns 404 in the community tier, and another plan in the premium tier', async () => {
    for (const [tier, status, list] of [
      ['community', 404, []],
      ['premium', 200, [expect.objectContaining({ plan: 'premium' })]],
    ] as const) {
      const own = await buildTestServer({ tier })
      try {
        const { token } = own.root
        expect((await callAs(own, 'GET', '/license', token)).status).toBe(status)
        expect((await callAs(own, 'GET', '/licenses', token)).body).toEqual(list)
        const removed = await callAs(own, 'DELETE', '/license/1', token)
        expect(removed.status).toBe(status === 404 ? 404 : 400)
      } finally {
        await own.close()
      }
    }
  })
})

describe('GET /licenses', () => {
  it('lists the one license without its active users', async () => {
    const { active_users: _, ...license } = (await call('GET', '/license')).body
    expect((await call('GET', '/licenses')).body).toEqual([license])
  })
})

describe('POST /license and DELETE /license/:license_id', () => {
  const message = expect.stringContaining('STITHY_TIER')

  it('return 400 with the reason, and 404 for an unknown license', async () => {
    const added = await call('POST', '/license', { license: 'eyJkYXRhIjoi' })
    expect([added.status, added.body]).toEqual([400, { message }])
    expect((await call('POST', '/license', {})).body).toEqual({ error: 'license is missing' })
    const removed = await call('DELETE', '/license/1')
    expect([removed.status, removed.body]).toEqual([400, { message }])
    const missing = await call('DELETE', '/license/2')
    expect([missing.status, missing.body]).toEqual([404, { message: '404 License Not Found' }])
  })

  it('are for administrators, as are the reads', async () => {
    const { token } = await server.buildUser()
    for (const [method, path] of [
      ['GET', '/license'],
      ['GET', '/licenses'],
      ['POST', '/license'],
      ['DELETE', '/license/1'],
    ] as const) {
      expect((await callAs(server, method, path, token, { license: 'a' })).status).toBe(403)
      expect((await callAs(server, method, path)).status).toBe(401)
    }
  })
})
