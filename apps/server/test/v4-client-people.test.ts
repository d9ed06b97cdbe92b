import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../src/testing/factories.ts'
import { buildGpgKey } from '../src/testing/git/gpg-key.ts'
import { buildPublicKey } from '../src/testing/git/ssh-key.ts'
import { buildTestServer, type TestServer } from '../src/testing/test-server.ts'

let server: TestServer
let ann: TestUser
let root: InstanceType<typeof Gitlab>
let api: InstanceType<typeof Gitlab>

beforeAll(async () => {
  server = await buildTestServer()
  ann = await server.buildUser()
  const host = await server.url()
  root = new Gitlab({ host, token: server.root.token })
  api = new Gitlab({ host, token: ann.token })
})
afterAll(() => server.close())

describe('access requests with the unmodified @gitbeaker/rest', () => {
  it('are made, listed, approved and denied in projects and groups', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const group = await server.buildGroup({ visibility: 'public' })
    const both = [
      [api.ProjectAccessRequests, root.ProjectAccessRequests, root.ProjectMembers, project.id],
      [api.GroupAccessRequests, root.GroupAccessRequests, root.GroupMembers, group.id],
    ] as const
    for (const [own, requests, members, id] of both) {
      expect(await own.request(id)).toMatchObject({ id: ann.id, username: ann.username })
      expect(await requests.all(id)).toMatchObject([{ id: ann.id, name: ann.name }])
      await requests.deny(id, ann.id)
      expect(await requests.all(id)).toEqual([])
      await own.request(id)
      const approved = await requests.approve(id, ann.id, { accessLevel: 20 })
      expect(approved).toMatchObject({ id: ann.id, access_level: 20 })
      expect(await members.show(id, ann.id)).toMatchObject({ access_level: 20 })
    }
  })
})

describe('OAuth2 applications with the unmodified @gitbeaker/rest', () => {
  it('are created and listed, and their tokens are callers until they are removed', async () => {
    const host = await server.url()
    const application = await root.Applications.create(
      'Dashboard',
      'https://dashboard.test/callback',
      'read_user',
    )
    const { secret, ...listed } = application as typeof application & { secret: string }
    expect(await root.Applications.all()).toEqual([listed])
    const response = await fetch(`${host}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        username: ann.username,
        password: ann.password,
        client_id: String(application.application_id),
        client_secret: secret,
      }),
    })
    const { access_token: oauthToken } = (await response.json()) as { access_token: string }
    const own = new Gitlab({ host, oauthToken })
    expect(await own.Users.showCurrentUser()).toMatchObject({ id: ann.id })
    await root.Applications.remove(application.id)
    await expect(own.Users.showCurrentUser()).rejects.toThrow('invalid_token')
    expect(await root.Applications.all()).toEqual([])
  })
})

describe('SSH keys with the unmodified @gitbeaker/rest', () => {
  it('are added, listed, found and deleted', async () => {
    const userId = ann.id
    const own = await api.UserSSHKeys.create('Laptop', buildPublicKey())
    const other = await root.UserSSHKeys.create('Desktop', buildPublicKey(), {
      userId,
      expiresAt: '2999-01-01',
    })
    expect(other).toMatchObject({ title: 'Desktop', expires_at: '2999-01-01' })
    expect(await api.UserSSHKeys.all()).toEqual([own, other])
    expect(await api.UserSSHKeys.all({ userId })).toEqual([own, other])
    expect(await api.UserSSHKeys.show(own.id)).toEqual(own)
    expect(await root.Keys.show({ keyId: own.id })).toMatchObject({ ...own, user: { id: userId } })
    await api.UserSSHKeys.remove(own.id)
    await root.UserSSHKeys.remove(other.id, { userId })
    expect(await api.UserSSHKeys.all()).toEqual([])
  })
})

describe('GPG keys with the unmodified @gitbeaker/rest', () => {
  it('are added, listed and deleted', async () => {
    const userId = ann.id
    const [first, second] = [await buildGpgKey(ann.email), await buildGpgKey(ann.email)]
    const own = await api.UserGPGKeys.create(first.publicKey)
    const other = await root.UserGPGKeys.create(second.publicKey, { userId })
    expect(await api.UserGPGKeys.all()).toEqual([own, other])
    expect(await root.UserGPGKeys.all({ userId })).toEqual([own, other])
    expect(await api.UserGPGKeys.show(own.id)).toEqual(own)
    await api.UserGPGKeys.remove(own.id)
    await root.UserGPGKeys.remove(other.id, { userId })
    expect(await api.UserGPGKeys.all()).toEqual([])
  })
})

describe('e-mails with the unmodified @gitbeaker/rest', () => {
  it('are added, listed and deleted', async () => {
    const userId = ann.id
    const own = await api.UserEmails.create('one@example.com')
    const other = await root.UserEmails.create('two@example.com', {
      userId,
      skipConfirmation: true,
    })
    expect(await api.UserEmails.all()).toEqual([own, other])
    expect(await root.UserEmails.all({ userId })).toEqual([own, other])
    expect(await api.UserEmails.show(own.id)).toEqual(own)
    await api.UserEmails.remove(own.id)
    await root.UserEmails.remove(other.id, { userId })
    expect(await api.UserEmails.all()).toEqual([])
  })
})

describe('preferences with the unmodified @gitbeaker/rest', () => {
  it('are shown and changed', async () => {
    const set = { view_diffs_file_by_file: true, show_whitespace_in_diffs: false }
    expect(await api.Users.editCurrentUserPreferences(true, false)).toMatchObject(set)
    expect(await api.Users.showCurrentUserPreferences()).toMatchObject(set)
  })
})
