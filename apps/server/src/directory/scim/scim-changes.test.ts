import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import {
  buildScim,
  newScimUser,
  patchOf,
  type ScimFixture,
  scimError,
} from '../../testing/clients/scim.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - PATCH .../Users/:id: 204; id, externalId, name.formatted, emails[type eq "work"].value, active,
 *   userName; operations in the shapes of Okta and Azure
 * - active false and DELETE: remove the identity and the membership at once, keep the account
 * - PUT .../Users/:id replaces
 * - 404 for who is no user of the group; 409 for what is taken; 412 for the last owner
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

const pathOf = (user: Json) => `/Users/${encodeURIComponent(user.id)}`

async function build(values: Record<string, unknown> = {}): Promise<Json> {
  const { status, body } = await scim('POST', '/Users', newScimUser(values))
  expect(status).toBe(201)
  return body
}

async function accountOf(email: string): Promise<Json> {
  const { body } = await callAs(server, 'GET', `/users?search=${email}`, server.root.token)
  expect(body).toHaveLength(1)
  return body[0]
}

const accountOfUser = (user: Json) => accountOf(user.emails[0].value)

async function show(user: Json): Promise<Json> {
  return (await scim('GET', pathOf(user))).body
}

async function patch(user: Json, ...operations: unknown[]) {
  return scim('PATCH', pathOf(user), patchOf(...operations))
}

describe('PATCH .../Users/:id', () => {
  it.each([
    ['a path', [{ op: 'Replace', path: 'name.formatted', value: 'New Name' }]],
    ['an object', [{ op: 'replace', value: { name: { formatted: 'New Name' } } }]],
    ['keys with paths', [{ op: 'ADD', value: { 'name.formatted': 'New Name' } }]],
    ['a list of one value', [{ op: 'add', path: 'displayName', value: [{ value: 'New Name' }] }]],
    [
      'names of a schema',
      [
        {
          op: 'replace',
          path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.formatted',
          value: 'New Name',
        },
      ],
    ],
    [
      'parts',
      [
        { op: 'Replace', path: 'name.givenName', value: 'New' },
        { op: 'Replace', path: 'name.familyName', value: 'Name' },
      ],
    ],
  ])('changes the name by %s', async (_, operations) => {
    const user = await build()
    const answer = await patch(user, ...operations)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await show(user)).name.formatted).toBe('New Name')
    expect((await accountOfUser(user)).name).toBe('New Name')
  })

  it('changes userName, and the username with it', async () => {
    const user = await build()
    expect(
      (await patch(user, { op: 'Replace', path: 'userName', value: 'Max@x.test' })).status,
    ).toBe(204)
    expect((await show(user)).userName).toBe('Max@x.test')
    expect((await accountOfUser(user)).username).toBe('max')
  })

  it('changes externalId, which is the id', async () => {
    const user = await build()
    const moved = { ...user, id: 'moved-id' }
    expect((await patch(user, { op: 'replace', value: { externalId: moved.id } })).status).toBe(204)
    expect((await show(moved)).userName).toBe(user.userName)
    expect((await show(user)).status).toBe('404')
    const other = await build()
    const answer = await patch(other, { op: 'replace', path: 'id', value: moved.id })
    expect([answer.status, answer.body]).toEqual([409, scimError(409, 'uniqueness')])
  })

  it('keeps an address until the new one is confirmed', async () => {
    const user = await build()
    const path = 'emails[type eq "work"].value'
    const answer = await patch(user, { op: 'Add', path, value: 'waiting@corp.test' })
    expect(answer.status).toBe(204)
    expect((await show(user)).emails).toEqual(user.emails)
    const taken = (await build()).emails[0].value
    const refused = await patch(user, { op: 'replace', path, value: taken })
    expect([refused.status, refused.body]).toEqual([409, scimError(409, 'uniqueness')])
  })

  it('ignores what is not kept', async () => {
    const user = await build()
    const schema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
    const answer = await patch(
      user,
      { op: 'Add', path: `${schema}:department`, value: 'R&D' },
      { op: 'Add', path: 'title', value: 'Dr.' },
      { op: 'Add', path: 'emails[type eq "home"].value', value: 'home@corp.test' },
      { op: 'Remove', path: 'phoneNumbers[type eq "work"].value' },
      { op: 'Replace', value: { [schema]: { manager: 'x' }, active: 'True' } },
    )
    expect(answer.status).toBe(204)
    expect(await show(user)).toEqual(user)
  })

  it.each([
    ['no operations', {}, 'invalidSyntax'],
    ['an empty list', patchOf(), 'invalidSyntax'],
    ['a text', patchOf('replace'), 'invalidSyntax'],
    ['an unknown operation', patchOf({ op: 'move', path: 'active', value: 1 }), 'invalidSyntax'],
    ['a broken path', patchOf({ op: 'add', path: 'emails[type eq', value: 1 }), 'invalidPath'],
    ['a path with an end', patchOf({ op: 'add', path: 'emails[a eq "b"]x' }), 'invalidPath'],
    ['a list for a path', patchOf({ op: 'add', path: ['active'], value: false }), 'invalidPath'],
    ['a long path', patchOf({ op: 'add', path: 'x'.repeat(2000), value: 1 }), 'invalidPath'],
    ['a value that is no object', patchOf({ op: 'add', value: 'x' }), 'invalidValue'],
    ['a word for active', patchOf({ op: 'add', path: 'active', value: 'no' }), 'invalidValue'],
    [
      'a long name',
      patchOf({ op: 'add', path: 'displayName', value: 'x'.repeat(256) }),
      'invalidValue',
    ],
    ['a bad address', patchOf({ op: 'add', path: 'emails', value: 'nobody' }), 'invalidValue'],
    ['removal without a path', patchOf({ op: 'remove' }), 'noTarget'],
    ['removal of the name', patchOf({ op: 'remove', path: 'userName' }), 'mutability'],
    ['many operations', patchOf(...Array.from({ length: 101 }, () => ({}))), 'invalidValue'],
  ])('answers 400 for %s', async (_, body, scimType) => {
    const user = await build()
    const answer = await scim('PATCH', pathOf(user), body)
    expect([answer.status, answer.body]).toEqual([400, scimError(400, scimType)])
    expect(await show(user)).toEqual(user)
  })

  it('answers 403 for the profile of an administrator', async () => {
    const user = await build()
    const { id } = await accountOfUser(user)
    await callAs(server, 'PUT', `/users/${id}`, server.root.token, { admin: true })
    const answer = await patch(user, { op: 'replace', path: 'userName', value: 'taken-over' })
    expect([answer.status, answer.body]).toEqual([403, scimError(403)])
    expect((await patch(user, { op: 'replace', path: 'active', value: true })).status).toBe(204)
    expect(await show(user)).toMatchObject({ userName: user.userName })
  })
})

const removals: [string, (user: Json) => ReturnType<ScimFixture['scim']>, number][] = [
  ['PATCH by a text', (u) => patch(u, { op: 'Replace', path: 'active', value: 'False' }), 204],
  ['PATCH by an object', (u) => patch(u, { op: 'replace', value: { active: false } }), 204],
  [
    'PATCH, whatever else is wrong',
    (u) => patch(u, { op: 'replace', value: { active: false, userName: 'root' } }),
    204,
  ],
  ['PUT', (u) => scim('PUT', pathOf(u), { ...u, active: false }), 200],
  ['DELETE', (u) => scim('DELETE', pathOf(u)), 204],
]

describe.each(removals)('deactivation by %s', (_, remove, status) => {
  it('removes identity, membership and access at once, and keeps the account', async () => {
    const group = await server.buildGroup(
      { parent_id: fixture.group.id, visibility: 'private' },
      fixture.owner,
    )
    const project = await server.buildProject({ namespace_id: group.id }, fixture.owner)
    const user = await build()
    const { id } = await accountOfUser(user)
    const token = await server.buildToken(id, ['api'])
    await server.addMember(`projects/${project.id}`, id, 30)
    const read = async () => (await callAs(server, 'GET', `/projects/${project.id}`, token)).status
    expect(await read()).toBe(200)
    expect((await remove(user)).status).toBe(status)
    expect(await read()).toBe(404)
    const members = `/groups/${fixture.group.id}/members/${id}`
    expect((await callAs(server, 'GET', members, fixture.owner.token)).status).toBe(404)
    expect(await accountOfUser(user)).toMatchObject({ id, state: 'active', identities: [] })
    expect((await scim('GET', pathOf(user))).status).toBe(404)
    expect((await remove(user)).status).toBe(404)
  })
})

describe('DELETE .../Users/:id', () => {
  it('answers 404 for who is no user of the group, and touches nobody', async () => {
    const member = await server.buildUser()
    await server.addMember(`groups/${fixture.group.id}`, member.id, 30)
    const other = await buildScim(server)
    const { body: theirs } = await other.scim('POST', '/Users', newScimUser())
    for (const id of [member.id, member.username, theirs.id, fixture.owner.id, 1]) {
      const off = patchOf({ op: 'replace', value: { active: false } })
      const answers = await Promise.all([
        scim('DELETE', `/Users/${id}`),
        scim('PATCH', `/Users/${id}`, off),
        scim('PUT', `/Users/${id}`, newScimUser()),
      ])
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    }
    const path = `/groups/${fixture.group.id}/members/${member.id}`
    expect((await callAs(server, 'GET', path, fixture.owner.token)).status).toBe(200)
    expect((await other.scim('GET', `/Users/${theirs.id}`)).body).toEqual(theirs)
  })

  it('answers 412 for the last owner, who stays', async () => {
    const lonely = await buildScim(server)
    const { body: user } = await lonely.scim('POST', '/Users', newScimUser())
    const { id } = await accountOfUser(user)
    const members = `/groups/${lonely.group.id}/members`
    const by = server.root.token
    await callAs(server, 'PUT', `${members}/${id}`, by, { access_level: 50 })
    await callAs(server, 'DELETE', `${members}/${lonely.owner.id}`, by)
    const answer = await lonely.scim('DELETE', `/Users/${user.id}`)
    expect([answer.status, answer.body]).toEqual([412, scimError(412)])
    expect((await lonely.scim('GET', `/Users/${user.id}`)).body).toEqual(user)
  })

  it('makes way for the same user, whose account is used again', async () => {
    const user = await build()
    const { id } = await accountOfUser(user)
    await scim('DELETE', pathOf(user))
    const again = await scim('POST', '/Users', newScimUser({ emails: user.emails }))
    expect(again.status).toBe(201)
    expect((await accountOfUser(user)).id).toBe(id)
    const path = `/groups/${fixture.group.id}/members/${id}`
    expect((await callAs(server, 'GET', path, fixture.owner.token)).status).toBe(200)
  })

  it('leaves no account to another group', async () => {
    const user = await build()
    await scim('DELETE', pathOf(user))
    const other = await buildScim(server)
    const answer = await other.scim('POST', '/Users', newScimUser({ emails: user.emails }))
    expect(answer.status).toBe(409)
  })
})

describe('PUT .../Users/:id', () => {
  it('replaces what is kept', async () => {
    const user = await build()
    const sent = { ...user, name: { formatted: 'Other Name' }, userName: 'other-name' }
    const answer = await scim('PUT', pathOf(user), { ...sent, 'name.formatted': 'Other Name' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ id: user.id, userName: 'other-name', active: true })
    expect(answer.body.name.formatted).toBe('Other Name')
  })
})

describe('identities of several groups', () => {
  it('may have the same id', async () => {
    const other = await buildScim(server)
    const user = await build()
    const { body } = await other.scim('POST', '/Users', newScimUser({ externalId: user.id }))
    expect(body.id).toBe(user.id)
    expect(body.userName).not.toBe(user.userName)
    await other.scim('DELETE', `/Users/${user.id}`)
    expect(await show(user)).toEqual(user)
  })
})
