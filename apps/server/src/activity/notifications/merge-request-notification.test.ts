// Notifications of merge requests, their comments, snippets, commits and epics.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import {
  type ReceivedMail,
  startMailServer,
  type TestMailServer,
} from '../../testing/clients/mail-server.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildMergeFixture, type MergeFixture } from '../../testing/git/merge-fixture.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let mailServer: TestMailServer
let server: TestServer
let fixture: MergeFixture
/** Watches the project; takes part in the merge request; chose all events. */
let [watcher, participant, chooser]: TestUser[] = []
beforeAll(async () => {
  mailServer = await startMailServer()
  server = await buildTestServer({ mail: mailServer.config() })
})
afterAll(async () => {
  await server.close()
  await mailServer.close()
})

async function mails(): Promise<ReceivedMail[]> {
  await server.runJobs()
  return mailServer.take()
}

/** Who got a mail since the last call, by their role. */
async function told(): Promise<string[]> {
  const names = { watcher, participant, chooser }
  const found = (await mails()).flatMap(({ recipients }) => recipients)
  return Object.entries(names)
    .filter(([, user]) => user !== undefined && found.includes(user.email))
    .map(([name]) => name)
}

const path = () => `/projects/${fixture.project.id}`

beforeEach(async () => {
  fixture = await buildMergeFixture(server, { visibility: 'public' })
  ;[watcher, participant, chooser] = [
    await server.buildUser(),
    await server.buildUser(),
    await server.buildUser(),
  ]
  const choose = (user: TestUser | undefined, body: object) =>
    callAs(server, 'PUT', `${path()}/notification_settings`, user?.token, body)
  await choose(watcher, { level: 'watch' })
  await choose(chooser, { level: 'custom', push_to_merge_request: true, new_note: true })
  const note = { body: 'Looks good' }
  const request = `${path()}/merge_requests/${fixture.request.iid}`
  await created(server, `${request}/notes`, note, participant)
  await mails()
})

describe('a merge request', () => {
  it('tells of itself, a close, a reopening and the merge', async () => {
    const { call, commitTo, push } = fixture
    await commitTo('other', { 'd.txt': 'd\n' }, 'Other')
    await push('other')
    await mails()
    const body = { source_branch: 'other', target_branch: 'main', title: 'Other' }
    await created(server, `${path()}/merge_requests`, body, fixture.user)
    const [opened] = await mails()
    expect(opened?.recipients).toEqual([watcher?.email])
    expect(opened?.subject).toBe(`${fixture.project.name} | Other (!2)`)
    expect(opened?.text).toContain('other to main')
    await call('PUT', '', { state_event: 'close' })
    expect(await told()).toEqual(['watcher', 'participant'])
    await call('PUT', '', { state_event: 'reopen' })
    expect(await told()).toEqual(['watcher', 'participant'])
    expect((await call('PUT', '/merge')).status).toBe(200)
    expect(await told()).toEqual(['watcher', 'participant'])
  })

  it('tells of new commits those who take part, or chose it', async () => {
    await fixture.commitTo('topic', { 'e.txt': 'e\n' }, 'More')
    await fixture.push('topic')
    expect(await told()).toEqual(['participant', 'chooser'])
  })

  it('tells of comments and assignees', async () => {
    await fixture.call('POST', '/notes', { body: 'A comment' })
    expect(await told()).toEqual(['watcher', 'participant', 'chooser'])
    await fixture.call('PUT', '', { assignee_ids: [participant?.id] })
    expect(await told()).toEqual(['watcher', 'participant'])
  })

  it('tells nobody who may not read merge requests', async () => {
    const body = { repository_access_level: 'private', merge_requests_access_level: 'private' }
    await callAs(server, 'PUT', path(), server.root.token, body)
    await fixture.call('POST', '/notes', { body: 'A comment' })
    expect(await told()).toEqual([])
  })
})

describe('a comment', () => {
  it('on a commit tells those who commented before, and who watches', async () => {
    const sha = await fixture.tip('main')
    const comments = `${path()}/repository/commits/${sha}/comments`
    await created(server, comments, { note: 'First' }, participant)
    await mails()
    await created(server, comments, { note: 'Second' }, fixture.user)
    const found = await mails()
    const recipients = found.flatMap((mail) => mail.recipients).toSorted()
    const expected = [watcher?.email, participant?.email, chooser?.email].toSorted()
    expect(recipients).toEqual(expected)
    expect(found[0]?.subject).toContain(`(${sha.slice(0, 8)})`)
    expect(found[0]?.headers.get('x-gitlab-commit-id')).toBe(sha)
  })

  it('on a commit tells its author, by the address', async () => {
    const { tip, project, user } = fixture
    // The address with which the fixture commits.
    const author = await server.buildUser({ email: 'ada@example.com' })
    await mails()
    const comments = `/projects/${project.id}/repository/commits/${await tip('main')}/comments`
    await created(server, comments, { note: 'Nice' }, user)
    const recipients = (await mails()).flatMap((mail) => mail.recipients)
    expect(recipients).toContain(author.email)
  })

  it('on a snippet tells its author and who watches', async () => {
    const snippet = { title: 'Snippet', file_name: 'a.txt', code: 'x', visibility: 'public' }
    await server.addMember(`projects/${fixture.project.id}`, participant?.id ?? 0, 30)
    await mails()
    const { id } = await created(server, `${path()}/snippets`, snippet, participant)
    await created(server, `${path()}/snippets/${id}/notes`, { body: 'Nice' }, fixture.user)
    expect(await told()).toEqual(['watcher', 'participant', 'chooser'])
  })

  it('on an epic tells its author and those whose level of the group is `watch`', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    const level = { level: 'watch' }
    const settings = `/groups/${group.id}/notification_settings`
    await callAs(server, 'PUT', settings, watcher?.token, level)
    await server.addMember(`groups/${group.id}`, participant?.id ?? 0, 20)
    const epic = await created(server, `/groups/${group.id}/epics`, { title: 'Epic' }, participant)
    const notes = `/groups/${group.id}/epics/${epic.id}/notes`
    await server.addMember(`groups/${group.id}`, fixture.user.id, 30)
    await mails()
    await created(server, notes, { body: 'A comment' }, fixture.user)
    const found = await mails()
    expect(found.flatMap((mail) => mail.recipients).toSorted()).toEqual(
      [watcher?.email, participant?.email].toSorted(),
    )
    expect(found[0]?.subject).toBe(`Re: ${group.name} | Epic (&1)`)
  })
})

describe('an epic', () => {
  it('tells watchers of its group of itself, a close and a reopening; of itself also by choice', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    const { id, token } = await server.buildUser()
    await server.addMember(`groups/${group.id}`, id, 20)
    const settings = `/groups/${group.id}/notification_settings`
    await callAs(server, 'PUT', settings, watcher?.token, { level: 'watch' })
    await callAs(server, 'PUT', settings, chooser?.token, { level: 'custom', new_epic: true })
    await callAs(server, 'PUT', settings, participant?.token, { level: 'custom', new_epic: false })
    await mails()
    const epics = `/groups/${group.id}/epics`
    const { iid } = await created(server, epics, { title: 'Epic' }, { token })
    expect((await mails()).map(({ recipients, subject }) => [recipients, subject])).toEqual(
      expect.arrayContaining(
        [watcher, chooser].map((user) => [[user?.email], `${group.name} | Epic (&1)`]),
      ),
    )
    for (const state_event of ['close', 'reopen']) {
      await callAs(server, 'PUT', `${epics}/${iid}`, token, { state_event })
      expect(await told()).toEqual(['watcher'])
    }
  })
})
