// Notifications by role and visibility: never to who did it, to blocked users, nor to whoever may not
// read it when the mail is sent; to the notification_email; each once.
import { saveNotificationSetting } from '@stithy/store'
import { insertRow } from '@stithy/store/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import {
  addressesOf,
  buildMailFixture,
  buildNotifiedProject,
  type MailFixture,
  type NotifiedProject,
} from '../../testing/fixtures/mails.ts'
import type { TestServer } from '../../testing/test-server.ts'

let fixture: MailFixture
let place: NotifiedProject
/** Does everything that others are told of. */
let actor: TestUser
let server: TestServer
beforeAll(async () => {
  fixture = await buildMailFixture()
  server = fixture.server
})
afterAll(() => fixture.close())
beforeEach(async () => {
  place = await buildNotifiedProject(fixture)
  actor = place.actor
})

const mails = () => fixture.mails()
const told = () => fixture.told()
const issues = () => place.issues
const openIssue: NotifiedProject['openIssue'] = (...args) => place.openIssue(...args)
const change: NotifiedProject['change'] = (...args) => place.change(...args)
const comment: NotifiedProject['comment'] = (...args) => place.comment(...args)
const choose: NotifiedProject['choose'] = (...args) => place.choose(...args)

describe('nobody is told', () => {
  it('of what they did themselves, or while they are blocked', async () => {
    const [ada, bob] = [await server.buildUser(), await server.buildUser()]
    for (const user of [actor, ada, bob]) await choose(user, { level: 'watch' })
    await callAs(server, 'POST', `/users/${bob.id}/block`, server.root.token)
    const { iid } = await openIssue({ assignee_ids: [actor.id] })
    expect(await told()).toEqual(addressesOf(ada))
    await comment(iid, `@${actor.username} for myself`)
    expect(await told()).toEqual(addressesOf(ada))
    await comment(iid, 'An answer', ada)
    expect(await told()).toEqual(addressesOf(actor))
  })

  it('without a confirmed address', async () => {
    const ada = await server.buildUser()
    await choose(ada, { level: 'watch' })
    await server.app.db.run('test.unconfirm', { id: ada.id }, (db, $) =>
      db.updateTable('users').set({ confirmedAt: null }).where('id', '=', $('id')),
    )
    await openIssue()
    expect(await told()).toEqual([])
  })

  it('of copies: a moved issue', async () => {
    const ada = await server.buildUser()
    const target = await server.buildProject({ visibility: 'public' }, actor)
    await choose(ada, { level: 'watch' }, `/projects/${target.id}`)
    const { iid } = await openIssue()
    await mails()
    await created(server, `${issues()}/${iid}/move`, { to_project_id: target.id }, actor)
    expect(await told()).toEqual([])
  })
})

/** The roles of those who got a mail since the last call. */
async function toldRoles(roles: Map<string, TestUser>): Promise<string[]> {
  const found = await told()
  return [...roles].filter(([, { email }]) => found.includes(email)).map(([role]) => role)
}

describe('who may not read it', () => {
  /** Users of all roles who watch the project, as far as they may. */
  async function buildRoles(): Promise<Map<string, TestUser>> {
    const roles = new Map<string, TestUser>()
    for (const [role, level] of Object.entries({
      stranger: 0,
      guest: 10,
      reporter: 20,
      developer: 30,
    })) {
      const user = await server.buildUser()
      if (level > 0) await server.addMember(`projects/${place.project.id}`, user.id, level)
      await choose(user, { level: 'watch' })
      roles.set(role, user)
    }
    const external = await server.buildUser({ external: true })
    // Those who are no members can't watch, but can be mentioned.
    roles.set('external', external)
    await mails()
    return roles
  }

  const restrict = (body: object) =>
    callAs(server, 'PUT', `/projects/${place.project.id}`, actor.token, body)

  it.each<[string, object, object, string[]]>([
    ['public', {}, {}, ['stranger', 'guest', 'reporter', 'developer', 'external']],
    ['internal', { visibility: 'internal' }, {}, ['stranger', 'guest', 'reporter', 'developer']],
    ['private', { visibility: 'private' }, {}, ['guest', 'reporter', 'developer']],
    [
      'issues for members',
      { issues_access_level: 'private' },
      {},
      ['guest', 'reporter', 'developer'],
    ],
    ['confidential', {}, { confidential: true }, ['reporter', 'developer']],
  ])('is not told of an issue: %s', async (_, settings, issue, expected) => {
    const roles = await buildRoles()
    expect((await restrict({ description: 'A project', ...settings })).status).toBe(200)
    const { iid } = await openIssue(issue)
    expect(await toldRoles(roles)).toEqual(expected.filter((role) => role !== 'external'))
    const everyone = [...roles.values()].map(({ username }) => `@${username}`).join(' ')
    await comment(iid, everyone)
    expect(await toldRoles(roles)).toEqual(expected)
  })

  it.each<[string, (user: TestUser, iid: number) => Promise<unknown>]>([
    ['blocked', (user) => callAs(server, 'POST', `/users/${user.id}/block`, server.root.token)],
    [
      'removed',
      (user) =>
        callAs(server, 'DELETE', `/projects/${place.project.id}/members/${user.id}`, actor.token),
    ],
    ['outside of what became confidential', (_, iid) => change(iid, { confidential: true })],
  ])('when the mail is sent: %s', async (_, lose) => {
    await restrict({ visibility: 'private' })
    const ada = await server.buildUser()
    await server.addMember(`projects/${place.project.id}`, ada.id, 10)
    await choose(ada, { level: 'watch' })
    await mails()
    const { iid } = await openIssue()
    const found = await fixture.toldAfter(() => lose(ada, iid))
    expect(found).toEqual([])
  })

  it('nor of a comment or an issue that was deleted meanwhile', async () => {
    const ada = await server.buildUser()
    await choose(ada, { level: 'watch' })
    const { iid } = await openIssue()
    await mails()
    const note = await comment(iid, 'Oh no')
    await callAs(server, 'DELETE', `${issues()}/${iid}/notes/${note.id}`, actor.token)
    expect(await told()).toEqual([])
    await comment(iid, 'Later')
    await callAs(server, 'DELETE', `${issues()}/${iid}`, server.root.token)
    expect(await told()).toEqual([])
  })
})

describe('a recipient', () => {
  it('gets one mail for several reasons, at the notification_email', async () => {
    const ada = await server.buildUser()
    const email = `second-${ada.email}`
    await created(
      server,
      `/users/${ada.id}/emails`,
      { email, skip_confirmation: true },
      server.root,
    )
    await choose(ada, { notification_email: email, level: 'watch' }, '')
    await server.addMember(`projects/${place.project.id}`, ada.id, 30)
    await mails()
    await openIssue({ assignee_ids: [ada.id], description: `@${ada.username}` })
    const found = await mails()
    expect(found.map(({ recipients }) => recipients)).toEqual([[email]])
    expect(found[0]?.headers.get('x-gitlab-notificationreason')).toBe('assigned')
  })

  it('gets one mail when the job runs twice, and those that are missing', async () => {
    const users = [await server.buildUser(), await server.buildUser()]
    for (const user of users) await choose(user, { level: 'watch' })
    await openIssue()
    await server.runJobs()
    const [done] = await server.app.db.all('test.notify', {}, (db) =>
      db
        .selectFrom('jobs')
        .where('kind', '=', 'notifications.notify')
        .orderBy('id', 'desc')
        .limit(1)
        .select('id'),
    )
    const again = { id: done?.id ?? 0, key: users[1]?.id ?? 0 }
    await server.app.db.run('test.again', again, (db, $) =>
      db.updateTable('jobs').set({ state: 'queued' }).where('id', '=', $('id')),
    )
    await server.app.db.run('test.lose', again, (db, $) =>
      db.deleteFrom('mails').where('userId', '=', $('key')),
    )
    fixture.mailServer.take()
    expect(await told()).toEqual(addressesOf(users[1] as TestUser))
  })
})

describe('hundreds who watch a project', () => {
  it('are told in batches', async () => {
    const { db } = server.app
    const now = server.app.now()
    for (let at = 0; at < 520; at += 1) {
      const name = `many${place.project.id}x${at}`
      const names = { username: name, usernameLower: name, name, nameLower: name }
      // Without a confirmed address, so that no mail is sent in the end.
      const user = { ...names, email: name, emailLower: name, projectsLimit: 0 }
      const { id: userId } = await insertRow(db, 'users', {
        ...user,
        createdAt: now,
        updatedAt: now,
      })
      const scope = { userId, scope: 'project', scopeId: place.project.id } as const
      await db.transaction((tx) => saveNotificationSetting(tx, scope, { level: 2, events: {} }))
    }
    const last = await server.buildUser()
    await choose(last, { level: 'watch' })
    await openIssue()
    expect(await told()).toEqual(addressesOf(last))
    const dropped = await db.all(
      'test.dropped',
      { name: `many${place.project.id}x` },
      (kysely, $) =>
        kysely
          .selectFrom('mails')
          .innerJoin('users', 'users.id', 'mails.userId')
          .where('users.username', '>', $('name'))
          .where('users.username', 'like', 'many%')
          .where('mails.state', '=', 'dropped')
          .select('mails.id'),
    )
    expect(dropped).toHaveLength(520)
  })
})
