import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { addressesOf, buildMailFixture, type MailFixture } from '../../testing/fixtures/mails.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

// `/promote`: Reporters of the project who are Reporters of its group, from the premium tier on; the
// project must be in a group. The epic of a confidential issue is read by all who read epics of the
// group, as v4 documents. Participants and subscribers of the issue are told of the epic.

let fixture: MailFixture
let server: TestServer
beforeAll(async () => {
  fixture = await buildMailFixture()
  server = fixture.server
})
afterAll(() => fixture.close())

interface World {
  group: Json
  project: Json
  /** Of the group. */
  reporter: TestUser
}

async function buildWorld(on = server, visibility = 'private'): Promise<World> {
  const group = await on.buildGroup({ visibility })
  const project = await on.buildProject({ namespace_id: group.id, visibility })
  const reporter = await on.buildUser()
  await on.addMember(`groups/${group.id}`, reporter.id, 20)
  return { group, project, reporter }
}

const open = (project: Json, body: object = {}, on = server) =>
  created(on, `/projects/${project.id}/issues`, { title: 'An issue', ...body })

async function say(issue: Json, by: { token: string }, on = server): Promise<void> {
  const path = `/projects/${issue.project_id}/issues/${issue.iid}/notes`
  await callAs(on, 'POST', path, by.token, { body: '/promote' })
}

async function epicsOf(group: Json, by: { token: string } = server.root): Promise<Json[]> {
  return (await callAs(server, 'GET', `/groups/${group.id}/epics`, by.token)).body
}

const stateOf = async ({ project_id: project, iid }: Json, on = server) =>
  (await callAs(on, 'GET', `/projects/${project}/issues/${iid}`, on.root.token)).body.state

describe('/promote takes effect', () => {
  it('for Reporters of the group', async () => {
    const { group, project, reporter } = await buildWorld()
    const issue = await open(project)
    await say(issue, reporter)
    expect([await stateOf(issue), (await epicsOf(group)).length]).toEqual(['closed', 1])
  })

  it.each<[string, (world: World, user: TestUser) => Promise<void>]>([
    [
      'a Guest of the group',
      ({ group }, user) => server.addMember(`groups/${group.id}`, user.id, 10),
    ],
    [
      'a Guest of the group who is a Maintainer of the project',
      async ({ group, project }, user) => {
        await server.addMember(`groups/${group.id}`, user.id, 10)
        await server.addMember(`projects/${project.id}`, user.id, 40)
      },
    ],
    [
      'a Maintainer of the project alone',
      ({ project }, user) => server.addMember(`projects/${project.id}`, user.id, 40),
    ],
    ['who is no member', async () => undefined],
  ])('not for %s', async (_, join) => {
    const world = await buildWorld(server, 'public')
    const user = await server.buildUser()
    await join(world, user)
    const issue = await open(world.project)
    await say(issue, user)
    expect([await stateOf(issue), await epicsOf(world.group)]).toEqual(['opened', []])
  })

  it('not in an archived project', async () => {
    const { group, project, reporter } = await buildWorld()
    const issue = await open(project)
    await callAs(server, 'POST', `/projects/${project.id}/archive`, server.root.token)
    await say(issue, reporter)
    expect([await stateOf(issue), await epicsOf(group)]).toEqual(['opened', []])
  })

  it('not in a project of a user', async () => {
    const user = await server.buildUser()
    const issue = await open(await server.buildProject({}, user))
    await say(issue, user)
    expect(await stateOf(issue)).toBe('opened')
  })

  it('not in the community tier', async () => {
    const community = await buildTestServer({ tier: 'community' })
    const { project, reporter } = await buildWorld(community)
    const issue = await open(project, {}, community)
    await say(issue, reporter, community)
    expect(await stateOf(issue, community)).toBe('opened')
    await community.close()
  })
})

describe('the epic of a confidential issue', () => {
  it('is read with its comments by all who read epics of the group, the issue is not', async () => {
    const { group, project, reporter } = await buildWorld()
    const guest = await server.buildUser()
    await server.addMember(`groups/${group.id}`, guest.id, 10)
    const issue = await open(project, { confidential: true, description: 'A secret' })
    const path = `/projects/${project.id}/issues/${issue.iid}`
    await created(server, `${path}/notes`, { body: 'A comment' })
    await say(issue, reporter)
    expect((await callAs(server, 'GET', path, guest.token)).status).toBe(404)
    const [epic] = await epicsOf(group, guest)
    expect(epic?.description).toBe('A secret')
    const notes = async (by: { token: string }): Promise<string[]> => {
      const at = `/groups/${group.id}/epics/${epic?.id}/notes?sort=asc`
      return (await callAs(server, 'GET', at, by.token)).body.map(({ body }: Json) => body)
    }
    // The system note refers to the issue.
    expect(await notes(guest)).toEqual(['A comment'])
    const source = `${project.path_with_namespace}#${issue.iid}`
    expect(await notes(reporter)).toEqual(['A comment', `promoted from issue ${source}`])
  })
})

describe('mails', () => {
  it('tell participants and subscribers of the issue, and who watches the group, of the epic', async () => {
    const { group, project, reporter } = await buildWorld(server, 'public')
    const [author, assignee, commenter, subscriber, mute, watcher, muted] = [
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
    ]
    const choose = (user: TestUser, level: string) =>
      callAs(server, 'PUT', `/groups/${group.id}/notification_settings`, user.token, { level })
    await choose(watcher, 'watch')
    await choose(muted, 'disabled')
    await server.addMember(`projects/${project.id}`, assignee.id, 20)
    const issues = `/projects/${project.id}/issues`
    const issue = await created(server, issues, { title: 'An issue' }, author)
    const path = `${issues}/${issue.iid}`
    await callAs(server, 'PUT', path, server.root.token, { assignee_ids: [assignee.id] })
    for (const user of [commenter, mute, muted]) {
      await created(server, `${path}/notes`, { body: 'A comment' }, user)
    }
    await created(server, `${path}/subscribe`, {}, subscriber)
    await created(server, `${path}/unsubscribe`, {}, mute)
    await fixture.mails()
    await say(issue, reporter)
    const found = await fixture.mails()
    const recipients = found.flatMap((mail) => mail.recipients).toSorted()
    expect(recipients).toEqual(addressesOf(author, assignee, commenter, subscriber, watcher))
    const subjects = new Set(found.map(({ subject }) => subject))
    expect([...subjects]).toEqual([`${group.name} | An issue (&1)`])
    // The choices of the issue hold for the epic.
    const [epic] = await epicsOf(group)
    const notes = `/groups/${group.id}/epics/${epic?.id}/notes`
    await created(server, notes, { body: 'Go on' }, reporter)
    expect(await fixture.told()).toEqual(addressesOf(commenter, subscriber, watcher))
  })

  it('tell nobody that a moved issue was closed', async () => {
    const { project, reporter } = await buildWorld(server, 'public')
    const target = await server.buildProject({ visibility: 'public' })
    await server.addMember(`projects/${target.id}`, reporter.id, 20)
    const watcher = await server.buildUser()
    const settings = `/projects/${project.id}/notification_settings`
    await callAs(server, 'PUT', settings, watcher.token, { level: 'watch' })
    const { iid } = await open(project)
    await fixture.mails()
    const path = `/projects/${project.id}/issues/${iid}/move`
    await created(server, path, { to_project_id: target.id }, reporter)
    expect(await fixture.told()).toEqual([])
  })
})
