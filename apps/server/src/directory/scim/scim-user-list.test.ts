import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildScim, newScimUser, type ScimFixture, scimError } from '../../testing/clients/scim.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - GET .../Users: `filter` with id, externalId and userName; startIndex and count
 * - users of other groups, and those that were not added by SCIM, are not found
 */

let server: TestServer
let scim: ScimFixture['scim']
beforeAll(async () => {
  server = await buildTestServer()
  scim = (await buildScim(server)).scim
})
afterAll(() => server.close())

const filtered = (filter: string, more = '') =>
  scim('GET', `/Users?filter=${encodeURIComponent(filter)}${more}`)

describe('GET .../Users', () => {
  it('finds one user by id, externalId or userName', async () => {
    const { body } = await scim('POST', '/Users', newScimUser({ externalId: 'A "quoted" \\ id' }))
    const quoted = JSON.stringify(body.id)
    for (const filter of [
      `id eq ${quoted}`,
      `externalId EQ ${quoted}`,
      `userName eq "${body.userName.toUpperCase()}"`,
      `  urn:ietf:params:scim:schemas:core:2.0:User:USERNAME  eq  "${body.userName}" `,
    ]) {
      const answer = await filtered(filter)
      expect(answer.body).toEqual({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 1,
        itemsPerPage: 20,
        startIndex: 1,
        Resources: [body],
      })
    }
    expect((await filtered(`id eq ${quoted}`, '&startIndex=2')).body).toMatchObject({
      totalResults: 1,
      Resources: [],
    })
  })

  it('finds nobody of other groups, or by usernames of others', async () => {
    const other = await buildScim(server)
    const { body } = await other.scim('POST', '/Users', newScimUser())
    for (const filter of [
      `id eq "${body.id}"`,
      `userName eq "${body.userName}"`,
      'userName eq "root"',
      `id eq "${'x'.repeat(256)}"`,
      'userName eq "\\u0000"',
    ]) {
      const answer = await filtered(filter)
      expect([answer.status, answer.body.totalResults]).toEqual([200, 0])
    }
  })

  it.each([
    'id',
    'id eq',
    'id eq 1',
    'id eq "a',
    'id eq "a" or id eq "b"',
    'id ne "a"',
    'active eq true',
    'id eq true',
    'emails[type eq "work"] eq "a"',
    ' eq "a"',
    `id eq "${'x'.repeat(3000)}"`,
    '('.repeat(2000),
  ])('answers 400 invalidFilter for %.40s', async (filter) => {
    const answer = await filtered(filter)
    expect([answer.status, answer.body]).toEqual([400, scimError(400, 'invalidFilter')])
  })

  it('lists all users in pages', async () => {
    const other = await buildScim(server)
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1) {
      ids.push((await other.scim('POST', '/Users', newScimUser())).body.id)
    }
    const page = async (query: string) => {
      const { body } = await other.scim('GET', `/Users?${query}`)
      return [body.totalResults, body.startIndex, body.Resources.map(({ id }: Json) => id)]
    }
    expect(await page('')).toEqual([5, 1, ids])
    expect(await page('startIndex=2&count=2')).toEqual([5, 2, ids.slice(1, 3)])
    expect(await page('startIndex=-3&count=1')).toEqual([5, 1, ids.slice(0, 1)])
    expect(await page('count=0')).toEqual([5, 1, []])
    expect(await page('count=-1')).toEqual([5, 1, []])
    expect(await page('startIndex=99&count=5000')).toEqual([5, 99, []])
    for (const query of ['count=x', 'startIndex=1.5', 'count=99999999999', 'count[]=1']) {
      const answer = await other.scim('GET', `/Users?${query}`)
      expect([answer.status, answer.body]).toEqual([400, scimError(400, 'invalidValue')])
    }
  })

  it('takes a constant number of queries', async () => {
    const other = await buildScim(server)
    await other.scim('POST', '/Users', newScimUser())
    await other.scim('POST', '/Users', newScimUser())
    await other.scim('GET', '/Users')
    const before = server.app.db.stats.queries
    await other.scim('GET', '/Users')
    expect(server.app.db.stats.queries - before).toBe(3)
  })
})
