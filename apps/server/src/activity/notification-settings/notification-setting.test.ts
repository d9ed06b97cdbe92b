import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const none = {
  new_note: false,
  new_issue: false,
  reopen_issue: false,
  close_issue: false,
  reassign_issue: false,
  issue_due: false,
  new_merge_request: false,
  push_to_merge_request: false,
  reopen_merge_request: false,
  close_merge_request: false,
  reassign_merge_request: false,
  merge_merge_request: false,
  failed_pipeline: false,
  success_pipeline: false,
  new_epic: false,
}

describe('GET and PUT /notification_settings', () => {
  it("default to the level `participating` and the caller's address", async () => {
    const ada = await server.buildUser()
    const answer = await server.inject('GET', '/notification_settings', { token: ada.token })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ level: 'participating', notification_email: ada.email })
  })

  it('store the level, and the events of a custom one', async () => {
    const [{ token }, bob] = [await server.buildUser(), await server.buildUser()]
    const put = (body: object) => server.inject('PUT', '/notification_settings', { token, body })
    expect((await put({ level: 'watch', new_note: true })).body).not.toHaveProperty('events')
    const custom = await put({ level: 'custom', issue_due: 'yes', new_note: false })
    expect(custom.status).toBe(200)
    expect(custom.body).toMatchObject({ level: 'custom', events: { ...none, issue_due: true } })
    const more = await put({ new_epic: true })
    const events = { ...none, issue_due: true, new_epic: true }
    expect(more.body).toMatchObject({ level: 'custom', events })
    const shown = await server.inject('GET', '/notification_settings', { token })
    expect(shown.body).toEqual(more.body)
    const other = await server.inject('GET', '/notification_settings', { token: bob.token })
    expect(other.body.level).toBe('participating')
  })

  it.each([{ level: 'global' }, { level: 'loud' }, { new_note: 'perhaps' }])(
    'return 400 for %j',
    async (body) => {
      const { token } = server.root
      expect((await server.inject('PUT', '/notification_settings', { token, body })).status).toBe(
        400,
      )
    },
  )

  it('accept only the confirmed address of the user', async () => {
    const [ada, bob] = [await server.buildUser(), await server.buildUser()]
    const put = (address: string) => {
      const body = { notification_email: address }
      return server.inject('PUT', '/notification_settings', { token: ada.token, body })
    }
    expect((await put(ada.email.toUpperCase())).body.notification_email).toBe(ada.email)
    expect((await put('')).status).toBe(200)
    const refused = await put(bob.email)
    expect(refused.status).toBe(400)
    expect(refused.body).toEqual({ message: { notification_email: ['is not an email you own'] } })
  })
})

describe.each(['groups', 'projects'] as const)(
  'GET and PUT /%s/:id/notification_settings',
  (kind) => {
    const build = (visibility: string) =>
      kind === 'groups' ? server.buildGroup({ visibility }) : server.buildProject({ visibility })

    it("default to the parent's setting, and store the caller's", async () => {
      const { id } = await build('public')
      const [ada, bob] = [await server.buildUser(), await server.buildUser()]
      const path = `/${kind}/${id}/notification_settings`
      const level = async (token: string) => (await server.inject('GET', path, { token })).body
      expect(await level(ada.token)).toEqual({ level: 'global' })
      const body = { level: 'custom', close_issue: true }
      const answer = await server.inject('PUT', path, { token: ada.token, body })
      const chosen = { level: 'custom', events: { ...none, close_issue: true } }
      expect([answer.status, answer.body]).toEqual([200, chosen])
      expect(await level(ada.token)).toEqual(chosen)
      expect(await level(bob.token)).toEqual({ level: 'global' })
      const back = await server.inject('PUT', path, { token: ada.token, body: { level: 'global' } })
      expect(back.body).toEqual({ level: 'global' })
    })

    it('return 404 when the group or project is hidden, and 400 for unknown levels', async () => {
      const { id } = await build('private')
      const { token } = await server.buildUser()
      const path = `/${kind}/${id}/notification_settings`
      expect((await server.inject('GET', path, { token })).status).toBe(404)
      const body = { level: 'disabled' }
      expect((await server.inject('PUT', path, { token, body })).status).toBe(404)
      const bad = { token: server.root.token, body: { level: 'loud' } }
      expect((await server.inject('PUT', path, bad)).status).toBe(400)
    })
  },
)

describe('the notification levels in GET /projects/:id', () => {
  it('are those that the caller set in the project and in the group of the membership', async () => {
    const ada = await server.buildUser()
    const group = await server.buildGroup()
    const inner = await server.buildGroup({ parent_id: group.id })
    const project = await server.buildProject({ namespace_id: inner.id })
    await server.addMember(`groups/${group.id}`, ada.id, 20)
    await server.addMember(`projects/${project.id}`, ada.id, 30)
    const { token } = ada
    const levels = async (path: string, find = (body: { permissions: object }[]) => body[0]) => {
      const { body } = await server.inject('GET', path, { token })
      return (Array.isArray(body) ? find(body) : body).permissions
    }
    const one = `/projects/${project.id}`
    expect(await levels(one)).toEqual({
      project_access: { access_level: 30, notification_level: 3 },
      group_access: { access_level: 20, notification_level: 3 },
    })
    const put = (path: string, level: string) =>
      server.inject('PUT', `${path}/notification_settings`, { token, body: { level } })
    await put(one, 'disabled')
    await put(`/groups/${group.id}`, 'watch')
    await put(`/groups/${inner.id}`, 'mention')
    const chosen = {
      project_access: { access_level: 30, notification_level: 0 },
      group_access: { access_level: 20, notification_level: 2 },
    }
    expect(await levels(one)).toEqual(chosen)
    expect(await levels('/projects?membership=true')).toEqual(chosen)
  })
})
