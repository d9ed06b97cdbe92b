import { setScimToken } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { buildScim, newScimUser, scimClient, scimError } from '../../testing/clients/scim.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { hashSecret } from '../authentication/secret.ts'

/*
 * Statements covered:
 * - POST /groups/:id/scim_token: group owners; 201 {token}, shown once; replaces the one before
 * - DELETE revokes; 204, then 404
 * - SCIM needs the token of the group in the path; 401 otherwise, as RFC 7644 describes errors
 * - a paid tier: 403 in others
 */

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

describe('POST /groups/:id/scim_token', () => {
  it('returns a token that is stored as a hash, and replaces the one before', async () => {
    const { owner, group, token, scim } = await buildScim(server)
    expect(token).toMatch(/^[\w-]{40,}$/)
    const rows = await server.app.db.all('test.scim-tokens', { id: group.id }, (db, $) =>
      db.selectFrom('scimTokens').selectAll().where('groupId', '=', $('id')),
    )
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect((await scim('GET', '/Users')).status).toBe(200)
    const again = await callAs(server, 'POST', `/groups/${group.id}/scim_token`, owner.token)
    expect([again.status, Object.keys(again.body)]).toEqual([201, ['token']])
    expect((await scim('GET', '/Users')).status).toBe(401)
    const next = scimClient(server, group.full_path, again.body.token)
    expect((await next('GET', '/Users')).status).toBe(200)
  })

  it('answers 403 to maintainers, and 404 to who cannot see the group', async () => {
    const group = await server.buildGroup({ visibility: 'private' })
    const maintainer = await server.buildUser()
    await server.addMember(`groups/${group.id}`, maintainer.id, 40)
    const stranger = await server.buildUser()
    for (const method of ['POST', 'DELETE']) {
      const path = `/groups/${group.id}/scim_token`
      expect((await callAs(server, method, path, maintainer.token)).status).toBe(403)
      expect((await callAs(server, method, path, stranger.token)).status).toBe(404)
    }
  })
})

describe('DELETE /groups/:id/scim_token', () => {
  it('revokes the token; answers 404 without one', async () => {
    const { owner, group, scim } = await buildScim(server)
    const path = `/groups/${group.id}/scim_token`
    expect((await callAs(server, 'DELETE', path, owner.token)).status).toBe(204)
    expect((await scim('GET', '/Users')).status).toBe(401)
    expect((await callAs(server, 'DELETE', path, owner.token)).status).toBe(404)
  })
})

describe('/api/scim/v2/groups/:group_path: the token', () => {
  it('is that of the group: others answer 401, whether the group exists or not', async () => {
    const { owner, token } = await buildScim(server)
    const other = await buildScim(server)
    const attempts = [
      [other.group.full_path, token],
      ['no-such-group', token],
      [other.group.full_path, owner.token],
      [other.group.full_path, server.root.token],
      [other.group.full_path, ''],
      [other.group.full_path, 'x'.repeat(5000)],
    ]
    for (const [path = '', sent = ''] of attempts) {
      const answer = await scimClient(server, path, sent)('GET', '/Users')
      expect([answer.status, answer.body]).toEqual([401, scimError(401)])
      expect(answer.headers['content-type']).toBe('application/scim+json')
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="Stithy"')
    }
  })

  it('opens no other endpoint', async () => {
    const { token, group } = await buildScim(server)
    expect((await callAs(server, 'GET', `/groups/${group.id}`, token)).status).toBe(401)
  })

  it('ends with its group', async () => {
    const { owner, group, scim } = await buildScim(server)
    await callAs(server, 'DELETE', `/groups/${group.id}`, owner.token)
    expect((await scim('GET', '/Users')).status).toBe(401)
    await server.runJobs()
    const left = await server.app.db.all('test.scim-left', { id: group.id }, (db, $) =>
      db.selectFrom('scimTokens').select('groupId').where('groupId', '=', $('id')),
    )
    expect(left).toEqual([])
  })

  it('works for subgroups, whose paths are encoded', async () => {
    const { owner, group } = await buildScim(server)
    const below = await server.buildGroup({ parent_id: group.id }, owner)
    const { body } = await callAs(server, 'POST', `/groups/${below.id}/scim_token`, owner.token)
    const scim = scimClient(server, below.full_path, body.token)
    expect((await scim('POST', '/Users', newScimUser())).status).toBe(201)
    const above = scimClient(server, group.full_path, body.token)
    expect((await above('GET', '/Users')).status).toBe(401)
  })

  it('is refused in lower tiers', async () => {
    const community = await buildTestServer({ tier: 'community' })
    try {
      const group = await community.buildGroup()
      const path = `/groups/${group.id}/scim_token`
      expect((await callAs(community, 'POST', path, community.root.token)).status).toBe(403)
      expect((await callAs(community, 'DELETE', path, community.root.token)).status).toBe(403)
      const row = { groupId: group.id, tokenHash: hashSecret('before'), createdAt: 0 }
      await community.app.db.transaction((tx) => setScimToken(tx, row))
      const answer = await scimClient(community, group.full_path, 'before')('GET', '/Users')
      expect([answer.status, answer.body]).toEqual([403, scimError(403)])
    } finally {
      await community.close()
    }
  })

  it('counts requests without a valid one as anonymous', async () => {
    const limited = await buildTestServer({ rateLimitAnonymous: 2 })
    try {
      const { scim, group } = await buildScim(limited)
      const wrong = scimClient(limited, group.full_path, 'wrong')
      const statuses: number[] = []
      for (let index = 0; index < 4; index += 1) {
        statuses.push((await wrong('GET', '/Users')).status)
      }
      expect(statuses).toEqual([401, 401, 429, 429])
      expect((await wrong('GET', '/Users')).body).toEqual(scimError(429))
      expect((await scim('GET', '/Users')).status).toBe(200)
    } finally {
      await limited.close()
    }
  })
})

describe('GET .../ServiceProviderConfig', () => {
  it('says what is supported', async () => {
    const { scim } = await buildScim(server)
    const { status, body } = await scim('GET', '/ServiceProviderConfig')
    expect([status, body.patch.supported, body.bulk.supported]).toEqual([200, true, false])
  })
})
