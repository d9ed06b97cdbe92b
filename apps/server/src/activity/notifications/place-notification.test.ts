// Notifications of requests for access, new members, failed and fixed pipelines (`failed_pipeline` for
// who started it at `participating` and `watch`, by choice at `custom`; `success_pipeline` by choice
// alone), and of projects that were moved: never to who did it, and by the rights when they are sent.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import {
  type ReceivedMail,
  startMailServer,
  type TestMailServer,
} from '../../testing/clients/mail-server.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildRepositoryFixture } from '../../testing/git/repository-fixture.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let mailServer: TestMailServer
let server: TestServer
let owner: TestUser
let ada: TestUser
beforeAll(async () => {
  mailServer = await startMailServer()
  server = await buildTestServer({ mail: mailServer.config() })
})
afterAll(async () => {
  await server.close()
  await mailServer.close()
})
beforeEach(async () => {
  owner = await server.buildUser()
  ada = await server.buildUser()
  await mails()
})

async function mails(): Promise<ReceivedMail[]> {
  await server.runJobs()
  return mailServer.take()
}

const told = async () => (await mails()).flatMap(({ recipients }) => recipients).toSorted()
const addresses = (...users: TestUser[]) => users.map(({ email }) => email).toSorted()

/** Lets a mail wait, does something, and sends it. */
async function toldAfter(work: () => Promise<unknown>): Promise<string[]> {
  mailServer.behave('refuse_for_now')
  await server.runJobs()
  mailServer.behave('accept')
  await work()
  server.advance(15_001)
  return told()
}

describe.each(['projects', 'groups'])('a request for access to one of the %s', (kind) => {
  let place: Json
  beforeEach(async () => {
    place =
      kind === 'projects'
        ? await server.buildProject({ visibility: 'public' }, owner)
        : await server.buildGroup({ visibility: 'public' }, owner)
    await callAs(server, 'PUT', `/${kind}/${place.id}`, owner.token, {
      request_access_enabled: true,
    })
    await mails()
  })
  const ask = () => created(server, `/${kind}/${place.id}/access_requests`, {}, ada)

  it('is told to those who decide, and its approval to who asked', async () => {
    await ask()
    const [mail, ...others] = await mails()
    expect([mail?.recipients, others]).toEqual([[owner.email], []])
    expect(mail?.subject).toBe(`${place.name} | Request to join the ${kind.slice(0, -1)}`)
    expect(mail?.from?.value[0]?.name).toBe(ada.name)
    const path = `/${kind}/${place.id}/access_requests/${ada.id}/approve`
    await callAs(server, 'PUT', path, owner.token, { access_level: 30 })
    const [answer, ...more] = await mails()
    expect([answer?.recipients, more]).toEqual([[ada.email], []])
    expect(answer?.text).toContain('as Developer')
  })

  it('is not told once it was withdrawn', async () => {
    await ask()
    const path = `/${kind}/${place.id}/access_requests/${ada.id}`
    expect(await toldAfter(() => callAs(server, 'DELETE', path, ada.token))).toEqual([])
  })
})

describe.each(['projects', 'groups'])('a new member of one of the %s', (kind) => {
  const build = () =>
    kind === 'projects'
      ? server.buildProject({ visibility: 'public' }, owner)
      : server.buildGroup({ visibility: 'public' }, owner)
  const add = (id: number) =>
    created(server, `/${kind}/${id}/members`, { user_id: ada.id, access_level: 20 }, owner)

  it('is told, with the level; who created it is not', async () => {
    const { id } = await build()
    expect(await told()).toEqual([])
    await add(id)
    const [mail, ...others] = await mails()
    expect([mail?.recipients, others]).toEqual([[ada.email], []])
    expect(mail?.text).toContain(`${owner.name} added you`)
    expect(mail?.text).toContain('as Reporter')
  })

  it('is not told after being removed', async () => {
    const { id } = await build()
    await add(id)
    const path = `/${kind}/${id}/members/${ada.id}`
    expect(await toldAfter(() => callAs(server, 'DELETE', path, owner.token))).toEqual([])
  })
})

describe('a pipeline', () => {
  async function build(settings: object | undefined) {
    const fixture = await buildRepositoryFixture(server, { visibility: 'private' })
    const { id } = fixture.project
    await server.addMember(`projects/${id}`, ada.id, 30)
    if (settings !== undefined) {
      const path = `/projects/${id}/notification_settings`
      await callAs(server, 'PUT', path, ada.token, settings)
    }
    await fixture.commitTo('main', { 'x.txt': 'x\n' }, 'More')
    await fixture.push('main')
    await mails()
    const tip = (await fixture.git('ls-remote', fixture.remote, 'refs/heads/main')).slice(0, 40)
    const report = (state: string, name = 'test') =>
      created(server, `/projects/${id}/statuses/${tip}`, { state, name, ref: 'main' }, ada)
    return { ...fixture, id, report, tip }
  }

  it.each<[string, object | undefined, boolean, boolean]>([
    ['without a choice', undefined, true, false],
    ['disabled', { level: 'disabled' }, false, false],
    ['mention', { level: 'mention' }, false, false],
    ['participating', { level: 'participating' }, true, false],
    ['watch', { level: 'watch' }, true, false],
    ['custom', { level: 'custom' }, false, false],
    ['custom failed', { level: 'custom', failed_pipeline: true }, true, false],
    ['custom success', { level: 'custom', success_pipeline: true }, false, true],
  ])('is told to who started it: %s', async (_, settings, failed, succeeded) => {
    const { report } = await build(settings)
    await report('failed')
    expect(await told()).toEqual(failed ? [ada.email] : [])
    await report('success')
    expect(await told()).toEqual(succeeded ? [ada.email] : [])
  })

  it('has the branch and the commit, and is told by the rights when it is sent', async () => {
    const { id, report, tip, project } = await build(undefined)
    await report('failed')
    const [mail] = await mails()
    expect(mail?.subject).toMatch(new RegExp(`^${project.name} \\| Pipeline #\\d+ failed for main`))
    expect(mail?.subject).toContain(tip.slice(0, 8))
    expect(mail?.headers.get('x-gitlab-pipeline-status')).toBe('failed')
    await report('success')
    await mails()
    await report('failed')
    const path = `/projects/${id}/members/${ada.id}`
    expect(await toldAfter(() => callAs(server, 'DELETE', path, server.root.token))).toEqual([])
  })
})

describe('a project that was moved', () => {
  it('is told to its members by their level', async () => {
    const group = await server.buildGroup({}, owner)
    const project = await server.buildProject({}, owner)
    const quiet = await server.buildUser()
    for (const { id } of [ada, quiet]) await server.addMember(`projects/${project.id}`, id, 30)
    const path = `/projects/${project.id}/notification_settings`
    await callAs(server, 'PUT', path, quiet.token, { level: 'mention' })
    await mails()
    const answer = await callAs(server, 'PUT', `/projects/${project.id}/transfer`, owner.token, {
      namespace: group.id,
    })
    expect(answer.status).toBe(200)
    const found = await mails()
    expect(found.flatMap(({ recipients }) => recipients)).toEqual(addresses(ada))
    expect(found[0]?.text).toContain(`${group.path}/${project.path}`)
  })
})
