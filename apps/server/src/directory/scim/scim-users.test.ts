import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import {
  buildScim,
  newScimUser,
  type ScimFixture,
  scimClient,
  scimError,
} from '../../testing/clients/scim.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - POST .../Users: 201; makes the account, the identity and the membership; content type
 *   application/scim+json in and out; 409 for what is taken; 400 for what is missing
 * - GET .../Users/:id: by the id of the identity, not of the user; 404
 * - users of other groups, and those that were not added by SCIM, are never shown or touched
 */

let server: TestServer
let fixture: ScimFixture
let scim: ScimFixture['scim']
beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildScim(server)
  scim = fixture.scim
})
afterAll(() => server.close())

const filtered = (filter: string, more = '') =>
  scim('GET', `/Users?filter=${encodeURIComponent(filter)}${more}`)

async function accountOf(email: string): Promise<Json> {
  const { body } = await callAs(server, 'GET', `/users?search=${email}`, server.root.token)
  expect(body).toHaveLength(1)
  return body[0]
}

describe('POST .../Users', () => {
  it('makes the account, the identity and the membership', async () => {
    const sent = newScimUser({ userName: 'Jane.Roe@corp.test', externalId: 'okta|00u/1' })
    const answer = await scim('POST', '/Users', sent)
    expect(answer.status).toBe(201)
    expect(answer.headers['content-type']).toBe('application/scim+json')
    const location = `${server.app.config.externalUrl}/api/scim/v2/groups/${fixture.group.full_path}/Users/okta%7C00u%2F1`
    expect(answer.headers.location).toBe(location)
    expect(answer.body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: 'okta|00u/1',
      externalId: 'okta|00u/1',
      active: true,
      userName: 'Jane.Roe@corp.test',
      displayName: sent.name.formatted,
      name: { formatted: sent.name.formatted },
      'name.formatted': sent.name.formatted,
      emails: [{ type: 'work', value: sent.emails[0].value, primary: true }],
      meta: {
        resourceType: 'User',
        created: expect.any(String),
        lastModified: expect.any(String),
        location,
      },
    })
    const account = await accountOf(sent.emails[0].value)
    expect(account).toMatchObject({
      username: 'jane.roe',
      name: sent.name.formatted,
      confirmed_at: null,
      identities: [{ provider: 'group_saml', extern_uid: 'okta|00u/1' }],
    })
    const path = `/groups/${fixture.group.id}/members/${account.id}`
    const member = await callAs(server, 'GET', path, fixture.owner.token)
    expect([member.status, member.body.access_level]).toEqual([200, 10])
    const query = 'extern_uid=okta%7C00u%2F1&provider=group_saml'
    const found = await callAs(server, 'GET', `/users?${query}`, server.root.token)
    expect(found.body.map(({ id }: Json) => id)).toEqual([account.id])
  })

  it.each([
    ['given and family names', { name: { givenName: 'Ann', familyName: 'Lee' } }, 'Ann Lee'],
    ['a display name', { name: undefined, displayName: 'Ann B' }, 'Ann B'],
    ['a flat key', { name: undefined, 'name.formatted': 'Ann C' }, 'Ann C'],
    ['attributes in any case', { name: undefined, NAME: { Formatted: 'Ann D' } }, 'Ann D'],
  ])('takes the name from %s', async (_, values, name) => {
    const { status, body } = await scim('POST', '/Users', newScimUser(values))
    expect([status, body.name.formatted]).toEqual([201, name])
  })

  it('takes the primary address, and a username that is free', async () => {
    const emails = [
      { type: 'work', value: 'second@corp.test' },
      { type: 'home', value: 'first@corp.test', primary: true },
    ]
    const first = await scim('POST', '/Users', newScimUser({ userName: 'admin@a.test', emails }))
    expect(first.body.emails[0].value).toBe('first@corp.test')
    expect((await accountOf('first@corp.test')).username).toBe('admin1')
    const next = newScimUser({ userName: 'admin@b.test' })
    await scim('POST', '/Users', next)
    expect((await accountOf(next.emails[0].value)).username).toBe('admin2')
    const odd = newScimUser({ userName: '漢字' })
    expect((await scim('POST', '/Users', odd)).body.userName).toBe('漢字')
    expect((await accountOf(odd.emails[0].value)).username).toMatch(/^user\d*$/)
  })

  it('answers 409 uniqueness for what is taken, and changes nothing', async () => {
    const sent = newScimUser()
    await scim('POST', '/Users', sent)
    for (const values of [
      { externalId: sent.externalId },
      { userName: sent.userName.toUpperCase() },
      { emails: sent.emails },
    ]) {
      const again = newScimUser(values)
      const answer = await scim('POST', '/Users', again)
      expect([answer.status, answer.body]).toEqual([409, scimError(409, 'uniqueness')])
      const { body } = await filtered(`userName eq "${again.userName}"`)
      expect(body.totalResults).toBe('userName' in values ? 1 : 0)
    }
  })

  it('never takes over an account of others', async () => {
    const stranger = await server.buildUser()
    const member = await server.buildUser()
    await server.addMember(`groups/${fixture.group.id}`, member.id, 30)
    const other = await buildScim(server)
    const theirs = newScimUser()
    await other.scim('POST', '/Users', theirs)
    for (const email of [
      `${stranger.username}@example.com`,
      `${member.username}@example.com`,
      theirs.emails[0].value,
    ]) {
      const before = await accountOf(email)
      const answer = await scim('POST', '/Users', newScimUser({ emails: [{ value: email }] }))
      expect([answer.status, answer.body]).toEqual([409, scimError(409, 'uniqueness')])
      expect(await accountOf(email)).toEqual(before)
    }
  })

  it.each([
    ['no externalId', { externalId: undefined }],
    ['no userName', { userName: ' ' }],
    ['no emails', { emails: [] }],
    ['no name', { name: {} }],
    ['a bad address', { emails: [{ value: 'nobody' }] }],
    ['a long id', { externalId: 'x'.repeat(256) }],
    ['a long name', { name: { givenName: 'x'.repeat(200), familyName: 'y'.repeat(200) } }],
    ['NUL', { userName: 'a\0b' }],
    ['a number', { userName: 1 }],
    ['a list for a name', { name: ['x'] }],
    ['a word for active', { active: 'maybe' }],
    ['a user who is not active', { active: 'False' }],
    ['many addresses', { emails: Array.from({ length: 101 }, () => ({ value: 'a@b.test' })) }],
  ])('answers 400 invalidValue for %s', async (_, values) => {
    const answer = await scim('POST', '/Users', newScimUser(values))
    expect([answer.status, answer.body]).toEqual([400, scimError(400, 'invalidValue')])
  })

  it.each([
    ['a list', Buffer.from('[]'), 400],
    ['broken JSON', Buffer.from('{'), 400],
    ['no body', undefined, 400],
    ['a large body', Buffer.from(JSON.stringify({ x: 'x'.repeat(300_000) })), 413],
  ])('refuses %s', async (_, bytes, status) => {
    const answer = await server.inject(
      'POST',
      `//api/scim/v2/groups/${fixture.group.full_path}/Users`,
      {
        headers: {
          authorization: `Bearer ${fixture.token}`,
          'content-type': 'application/scim+json; charset=utf-8',
        },
        ...(bytes === undefined ? {} : { bytes }),
      },
    )
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ status: String(status), detail: expect.any(String) })
  })
})

describe('GET .../Users/:id', () => {
  it('shows a user by the id of the identity alone', async () => {
    const { body } = await scim('POST', '/Users', newScimUser())
    const shown = await scim('GET', `/Users/${body.id}`)
    expect([shown.status, shown.body]).toEqual([200, body])
    const account = await accountOf(body.emails[0].value)
    const other = await buildScim(server)
    const attempts = [
      scim('GET', `/Users/${account.id}`),
      scim('GET', `/Users/${account.username}`),
      scim('GET', `/Users/${body.id.toUpperCase()}`),
      scim('GET', `/Users/${'x'.repeat(300)}`),
      scim('GET', '/Users/a%00b'),
      other.scim('GET', `/Users/${body.id}`),
    ]
    for (const { status, body: error } of await Promise.all(attempts)) {
      expect([status, error]).toEqual([404, scimError(404)])
    }
  })

  it('shows blocked users as not active', async () => {
    const { body } = await scim('POST', '/Users', newScimUser())
    const { id } = await accountOf(body.emails[0].value)
    await callAs(server, 'POST', `/users/${id}/block`, server.root.token)
    expect((await scim('GET', `/Users/${body.id}`)).body.active).toBe(false)
  })

  it('answers 404 once the account is deleted', async () => {
    const { body } = await scim('POST', '/Users', newScimUser())
    const { id } = await accountOf(body.emails[0].value)
    await callAs(server, 'DELETE', `/users/${id}`, server.root.token)
    expect((await scim('GET', `/Users/${body.id}`)).status).toBe(404)
    expect((await scim('POST', '/Users', newScimUser({ externalId: body.id }))).status).toBe(201)
    await server.runJobs()
  })
})

describe('a path that does not exist', () => {
  it('answers 404', async () => {
    const client = scimClient(server, fixture.group.full_path, fixture.token)
    expect((await client('GET', '/Groups')).status).toBe(404)
  })
})
