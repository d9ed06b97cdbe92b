// Notifications by level (`disabled`, `participating`, `watch`, `global`, `mention`, `custom` with its
// events; the project's over its groups' over the global one) and by event.
import { type NotificationEvent, notificationEvents } from '@stithy/core'
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

const levels = ['disabled', 'mention', 'participating', 'watch', 'global'] as const

/** A member for each level of the project, and two for `custom`: with every event, and none. */
async function buildMembers(): Promise<Map<string, TestUser>> {
  const every = Object.fromEntries(notificationEvents.map((name) => [name, true]))
  const bodies = new Map<string, object>([
    ...levels.map((level) => [level, { level }] as const),
    ['custom', { level: 'custom', ...every }],
    ['custom without', { level: 'custom' }],
  ])
  const members = new Map<string, TestUser>()
  for (const [name, body] of bodies) {
    const user = await server.buildUser()
    await server.addMember(`projects/${place.project.id}`, user.id, 30)
    expect((await choose(user, body)).status).toBe(200)
    members.set(name, user)
  }
  await mails()
  return members
}

/** The levels of the members that got a mail since the last call. */
async function toldLevels(members: Map<string, TestUser>): Promise<string[]> {
  const found = await told()
  const names = [...members].filter(([, { email }]) => found.includes(email))
  expect(names).toHaveLength(found.length)
  return names.map(([name]) => name)
}

const watching = ['watch', 'custom']
const taking = ['participating', 'watch', 'global', 'custom', 'custom without']
const mentioned = ['mention', 'participating', 'watch', 'global', 'custom', 'custom without']

describe('the members who are told of an issue', () => {
  it('and take no part in it, watch the project or chose the event', async () => {
    const members = await buildMembers()
    const { iid } = await openIssue()
    expect(await toldLevels(members)).toEqual(watching)
    await comment(iid, 'A comment')
    expect(await toldLevels(members)).toEqual(watching)
    await change(iid, { assignee_ids: [actor.id] })
    expect(await toldLevels(members)).toEqual(watching)
    await change(iid, { state_event: 'close' })
    expect(await toldLevels(members)).toEqual(watching)
    await change(iid, { state_event: 'reopen' })
    expect(await toldLevels(members)).toEqual(watching)
    await change(iid, { title: 'Other title', due_date: '2030-01-01', weight: 3 })
    expect(await toldLevels(members)).toEqual([])
  })

  it('and have commented on it, take part at every level but `disabled` and `mention`', async () => {
    const members = await buildMembers()
    const { iid } = await openIssue()
    for (const user of members.values()) await comment(iid, 'Me too', user)
    await mails()
    await comment(iid, 'Thanks')
    expect(await toldLevels(members)).toEqual(taking)
    await change(iid, { state_event: 'close' })
    expect(await toldLevels(members)).toEqual(taking)
  })

  it('and are mentioned, are told at every level but `disabled`', async () => {
    const members = await buildMembers()
    const everyone = [...members.values()].map(({ username }) => `@${username}`).join(' ')
    const { iid } = await openIssue({ description: everyone })
    expect(await toldLevels(members)).toEqual(mentioned)
    const other = await openIssue()
    await mails()
    await comment(other.iid, everyone)
    expect(await toldLevels(members)).toEqual(mentioned)
    const third = await openIssue()
    await mails()
    await change(third.iid, { description: everyone })
    expect(await toldLevels(members)).toEqual(mentioned)
    // Once per text: these were mentioned before.
    await change(third.iid, { description: `${everyone} again` })
    expect(await toldLevels(members)).toEqual([])
    await comment(iid, 'Thanks')
    expect(await toldLevels(members)).toEqual(taking)
  })

  it('and are or were assigned, are told at every level but `disabled`', async () => {
    const members = await buildMembers()
    const ids = [...members.values()].map(({ id }) => id)
    const { iid } = await openIssue()
    await mails()
    await change(iid, { assignee_ids: ids })
    expect(await toldLevels(members)).toEqual(mentioned)
    await change(iid, { assignee_ids: [] })
    expect(await toldLevels(members)).toEqual(mentioned)
  })

  it('and have subscribed, are told at every level; who unsubscribed only of mentions', async () => {
    const members = await buildMembers()
    const { iid } = await openIssue()
    const path = `${issues()}/${iid}`
    for (const { token } of members.values()) {
      await callAs(server, 'POST', `${path}/subscribe`, token)
    }
    await mails()
    await comment(iid, 'To all')
    expect(await toldLevels(members)).toEqual([...members.keys()])
    for (const { token } of members.values()) {
      await callAs(server, 'POST', `${path}/unsubscribe`, token)
    }
    await comment(iid, 'To nobody')
    expect(await toldLevels(members)).toEqual([])
    const everyone = [...members.values()].map(({ username }) => `@${username}`).join(' ')
    await comment(iid, everyone)
    expect(await toldLevels(members)).toEqual(mentioned)
  })

  it('and have subscribed to one of its labels, are told of a new one', async () => {
    const [ada, bob] = [await server.buildUser(), await server.buildUser()]
    const label = await created(
      server,
      `/projects/${place.project.id}/labels`,
      { name: 'bug', color: '#ff0000' },
      actor,
    )
    await callAs(
      server,
      'POST',
      `/projects/${place.project.id}/labels/${label.id}/subscribe`,
      ada.token,
    )
    await openIssue({ labels: 'bug' })
    expect(await told()).toEqual(addressesOf(ada))
    await openIssue()
    expect([await told(), bob.id]).toEqual([[], bob.id])
  })
})

describe('subscribers of a label', () => {
  it('are told when an issue gets it, but not who unsubscribed from the issue', async () => {
    const { project } = place
    const users = [await server.buildUser(), await server.buildUser(), await server.buildUser()]
    const [ada, bob, eve] = users as [TestUser, TestUser, TestUser]
    for (const [name, user] of [
      ['bug', ada],
      ['bug', bob],
      ['other', eve],
    ] as const) {
      const labels = `/projects/${project.id}/labels`
      await callAs(server, 'POST', labels, actor.token, { name, color: '#ff0000' })
      await callAs(server, 'POST', `${labels}/${name}/subscribe`, user.token)
    }
    const { iid } = await openIssue({ labels: 'other' })
    for (const verb of ['subscribe', 'unsubscribe']) {
      await callAs(server, 'POST', `${issues()}/${iid}/${verb}`, bob.token)
    }
    await mails()
    await change(iid, { labels: 'other,bug,third' })
    const found = await mails()
    expect(found.map(({ recipients }) => recipients)).toEqual([[ada.email]])
    expect(found[0]?.text).toContain(`${actor.name} labeled issue #${iid}: bug, third.`)
    await change(iid, { labels: 'bug' })
    expect(await told()).toEqual([])
    await comment(iid, 'No bug\n/unlabel ~bug')
    await comment(iid, 'Rather this\n/label ~other')
    expect(await told()).toEqual(addressesOf(eve))
  })
})

describe('an event of the level `custom`', () => {
  const events: [NotificationEvent, (iid: number) => Promise<unknown>][] = [
    ['new_issue', () => openIssue()],
    ['new_note', (iid) => comment(iid, 'A comment')],
    ['reassign_issue', (iid) => change(iid, { assignee_ids: [actor.id] })],
    ['close_issue', (iid) => change(iid, { state_event: 'close' })],
    ['reopen_issue', (iid) => change(iid, { state_event: 'reopen' })],
  ]

  it('is told of alone', async () => {
    const users = new Map<string, TestUser>()
    for (const [event] of events) {
      const user = await server.buildUser()
      await choose(user, { level: 'custom', [event]: true })
      users.set(event, user)
    }
    const { iid } = await openIssue()
    await mails()
    for (const [event, happen] of events) {
      await happen(iid)
      const found = await told()
      const names = [...users].filter(([, { email }]) => found.includes(email))
      expect([event, names.map(([name]) => name)]).toEqual([event, [event]])
    }
  })
})

describe('the level that applies', () => {
  it("is the project's over the nearest group's over the global one", async () => {
    const outer = await server.buildGroup({ visibility: 'public' })
    const inner = await server.buildGroup({ visibility: 'public', parent_id: outer.id })
    place = await buildNotifiedProject(
      fixture,
      { visibility: 'public', namespace_id: inner.id },
      server.root,
    )
    const { project } = place
    const scopes = ['', `/groups/${outer.id}`, `/groups/${inner.id}`, `/projects/${project.id}`]
    const ada = await server.buildUser()
    await server.addMember(`groups/${outer.id}`, ada.id, 20)
    await mails()
    const isTold = async () => {
      await openIssue({}, server.root)
      return (await told()).includes(ada.email)
    }
    expect(await isTold()).toBe(false)
    let watches = false
    for (const scope of scopes) {
      watches = !watches
      await choose(ada, { level: watches ? 'watch' : 'participating' }, scope)
      expect([scope, await isTold()]).toEqual([scope, watches])
    }
    await choose(ada, { level: 'global' })
    expect(await isTold()).toBe(true)
    await choose(ada, { level: 'global' }, scopes[2])
    expect(await isTold()).toBe(false)
  })

  it('is the global `watch` of members of every kind only', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    const other = await server.buildGroup({ visibility: 'public' })
    place = await buildNotifiedProject(
      fixture,
      { visibility: 'public', namespace_id: group.id },
      server.root,
    )
    const { project } = place
    const share = { group_id: other.id, group_access: 20 }
    await created(server, `/projects/${project.id}/share`, share, server.root)
    const [direct, inherited, shared, expired, stranger] = [
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
    ]
    await server.addMember(`projects/${project.id}`, direct.id, 10)
    await server.addMember(`groups/${group.id}`, inherited.id, 10)
    await server.addMember(`groups/${other.id}`, shared.id, 10)
    const tomorrow = new Date(server.app.now() + 24 * 60 * 60_000).toISOString().slice(0, 10)
    await server.addMember(`projects/${project.id}`, expired.id, 30, tomorrow)
    for (const user of [direct, inherited, shared, expired, stranger]) {
      await choose(user, { level: 'watch' }, '')
    }
    await mails()
    await openIssue()
    expect(await told()).toEqual(addressesOf(direct, inherited, shared, expired))
    server.advance(2 * 24 * 60 * 60_000)
    await openIssue()
    expect(await told()).toEqual(addressesOf(direct, inherited, shared))
  })
})
