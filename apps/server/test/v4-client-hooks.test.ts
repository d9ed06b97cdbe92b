import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HookFixture, startHookFixture } from '../src/testing/fixtures/hook-fixture.ts'

let fixture: HookFixture
let api: InstanceType<typeof Gitlab>

beforeAll(async () => {
  fixture = await startHookFixture()
  api = new Gitlab({ host: await fixture.server.url(), token: fixture.server.root.token })
})
afterAll(() => fixture.close())

describe('hooks with the unmodified @gitbeaker/rest', () => {
  it('of projects and groups are created, listed, shown, updated and deleted, and deliver', async () => {
    const { server, receiver } = fixture
    const group = await server.buildGroup({ visibility: 'public' })
    const { project, push } = await fixture.buildProject({ namespace_id: group.id })
    for (const [hooks, id, key] of [
      [api.ProjectHooks, project.id, 'project_id'],
      [api.GroupHooks, group.id, 'group_id'],
    ] as const) {
      const url = `${receiver.url}/${key}`
      const hook = await hooks.add(id, url, { pushEvents: false, token: 'secret' })
      expect(hook).toMatchObject({ url, [key]: id, push_events: false })
      expect(await hooks.all(id)).toEqual([hook])
      const edited = await hooks.edit(id, hook.id, url, { pushEvents: true })
      expect(edited).toEqual({ ...hook, push_events: true })
      expect(await hooks.show(id, hook.id)).toEqual(edited)
    }
    await push('main:topic')
    await server.runJobs()
    const received = receiver.received
      .splice(0)
      .map(({ path, headers }) => [path, headers['x-gitlab-event'], headers['x-gitlab-token']])
    expect(received.toSorted()).toEqual([
      ['/group_id', 'Push Hook', 'secret'],
      ['/project_id', 'Push Hook', 'secret'],
    ])
    for (const [hooks, id] of [
      [api.ProjectHooks, project.id],
      [api.GroupHooks, group.id],
    ] as const) {
      for (const hook of await hooks.all(id)) await hooks.remove(id, hook.id)
      expect(await hooks.all(id)).toEqual([])
    }
  })

  it('of the instance are created, listed, tested and deleted, and deliver', async () => {
    const { server, receiver } = fixture
    const hook = await api.SystemHooks.add(`${receiver.url}/system`, { pushEvents: true })
    expect(hook).toMatchObject({ push_events: true, repository_update_events: true })
    expect(await api.SystemHooks.all()).toEqual([hook])
    const sample = await api.SystemHooks.test(hook.id)
    expect(sample).toMatchObject({ event_name: 'project_create', name: 'Ruby' })
    const user = await api.Users.create({
      email: 'hooked@example.com',
      username: 'hooked',
      name: 'Hooked',
      password: 'a long password of a user',
    })
    await server.runJobs()
    const bodies = receiver.received.splice(0).map(({ body }) => body)
    expect(bodies).toContainEqual(sample)
    expect(bodies).toContainEqual(
      expect.objectContaining({ event_name: 'user_create', user_id: user.id }),
    )
    await api.SystemHooks.remove(hook.id)
    expect(await api.SystemHooks.all()).toEqual([])
  })
})
