import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../src/testing/factories.ts'
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
