import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expireMembersJob } from '../../../directory/members/member.jobs.ts'
import { callAs, created } from '../../../testing/clients/calls.ts'
import {
  type SystemHookFixture,
  startSystemHookFixture,
} from '../../../testing/fixtures/system-hook-fixture.ts'
import { buildPublicKey } from '../../../testing/git/ssh-key.ts'
import { unrecordedJob } from '../../../testing/jobs.ts'
import type { Json } from '../../../testing/test-server.ts'

/*
 * What is covered: every event of the table "System hook events" with its fields, except those of
 * repositories; the secret token; the log.
 */

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
const dates = { created_at: time, updated_at: time }

let fixture: SystemHookFixture
let hook: Json

beforeAll(async () => {
  fixture = await startSystemHookFixture()
  hook = fixture.hook
})
beforeEach(() => fixture.flush())
afterAll(() => fixture.close())

const root: SystemHookFixture['root'] = (...request) => fixture.root(...request)
const happened = () => fixture.happened()

function projectFields(project: Json, owner: { name: string; email: string | null }) {
  return {
    ...dates,
    name: project.name,
    path: project.path,
    path_with_namespace: project.path_with_namespace,
    project_id: project.id,
    owner_name: owner.name,
    owner_email: owner.email,
    project_visibility: project.visibility,
  }
}

function teamFields(project: Json) {
  return {
    ...dates,
    project_id: project.id,
    project_name: project.name,
    project_path: project.path,
    project_path_with_namespace: project.path_with_namespace,
    project_visibility: project.visibility,
  }
}

function groupFields(group: Json) {
  return {
    ...dates,
    name: group.name,
    path: group.path,
    full_path: group.full_path,
    group_id: group.id,
    owner_name: null,
    owner_email: null,
  }
}

async function userOf(id: number): Promise<Json> {
  return (await root('GET', `/users/${id}`)).body
}

function memberOf({ id, name, username, email }: Json) {
  return { user_id: id, user_name: name, user_username: username, user_email: email }
}

describe('system hooks', () => {
  it('send the token, and are logged with the name of the event', async () => {
    const user = await fixture.server.buildUser()
    await fixture.server.runJobs()
    const [{ headers } = { headers: {} as Record<string, string> }] = fixture.receiver.received
    expect(headers).toMatchObject({
      'x-gitlab-event': 'System Hook',
      'x-stithy-event': 'System Hook',
      'x-gitlab-token': 'system secret',
    })
    const [logged] = (await root('GET', `/hooks/${hook.id}/events`)).body
    expect(logged).toMatchObject({ trigger: 'user_create', request_data: { user_id: user.id } })
  })

  it('send user_create, user_rename, user_failed_login and user_destroy', async () => {
    const { server } = fixture
    const made = await server.buildUser()
    const { username } = made
    const { name, email } = await userOf(made.id)
    const fields = { ...dates, name, email, username, user_id: made.id }
    expect(await happened()).toEqual([{ event_name: 'user_create', ...fields }])
    await root('PUT', `/users/${made.id}`, { username: `${username}-2` })
    const renamed = { ...fields, username: `${username}-2` }
    expect(await happened()).toEqual([
      { event_name: 'user_rename', ...renamed, old_username: username },
    ])
    await root('PUT', `/users/${made.id}`, { bio: 'nothing to report' })
    await root('POST', `/users/${made.id}/block`)
    expect(await happened()).toEqual([])
    const grant = (password: string) =>
      server.inject('POST', '//oauth/token', {
        body: { grant_type: 'password', username: renamed.username, password },
      })
    await grant('wrong password')
    expect(await happened()).toEqual([])
    await grant(made.password)
    expect(await happened()).toEqual([
      { event_name: 'user_failed_login', ...renamed, state: 'blocked' },
    ])
    await root('DELETE', `/users/${made.id}`)
    expect(await happened()).toEqual([{ event_name: 'user_destroy', ...renamed }])
  })

  it('send key_create and key_destroy', async () => {
    const { server } = fixture
    const user = await server.buildUser()
    await happened()
    const key = await created(server, '/user/keys', { title: 'k', key: buildPublicKey() }, user)
    const fields = { ...dates, id: key.id, key: key.key, username: user.username }
    expect(await happened()).toEqual([{ event_name: 'key_create', ...fields }])
    await callAs(server, 'DELETE', `/user/keys/${key.id}`, user.token)
    expect(await happened()).toEqual([{ event_name: 'key_destroy', ...fields }])
  })

  it('send project_create, project_update, project_rename, project_transfer and project_destroy', async () => {
    const { server } = fixture
    const owner = await server.buildUser()
    const person = await userOf(owner.id)
    await happened()
    const project = await server.buildProject({ visibility: 'private' }, owner)
    const fields = projectFields(project, person)
    expect(await happened()).toEqual([
      {
        event_name: 'user_add_to_team',
        access_level: 'Maintainer',
        ...teamFields(project),
        ...memberOf(person),
      },
      { event_name: 'project_create', ...fields },
    ])
    const updated = await root('PUT', `/projects/${project.id}`, { description: 'new' })
    expect(updated.status).toBe(200)
    expect(await happened()).toEqual([{ event_name: 'project_update', ...fields }])
    const path = `${project.path}-2`
    const renamed = (await root('PUT', `/projects/${project.id}`, { path })).body
    const old = { old_path_with_namespace: project.path_with_namespace }
    expect(await happened()).toEqual([
      { event_name: 'project_rename', ...projectFields(renamed, person), ...old },
    ])
    const group = await server.buildGroup()
    await happened()
    const namespace = { namespace: group.id }
    const moved = (await root('PUT', `/projects/${project.id}/transfer`, namespace)).body
    const inGroup = projectFields(moved, { name: group.name, email: null })
    expect(moved.path_with_namespace).toBe(`${group.path}/${path}`)
    expect(await happened()).toEqual([
      {
        event_name: 'project_transfer',
        ...inGroup,
        old_path_with_namespace: renamed.path_with_namespace,
      },
    ])
    await root('DELETE', `/projects/${project.id}`)
    expect(await happened()).toEqual([{ event_name: 'project_destroy', ...inGroup }])
  })

  it('send group_create, group_rename and group_destroy with all that is in it', async () => {
    const { server } = fixture
    const group = await server.buildGroup()
    const admin = await userOf(server.root.id)
    expect(await happened()).toEqual([
      {
        event_name: 'user_add_to_group',
        group_access: 'Owner',
        ...dates,
        group_id: group.id,
        group_name: group.name,
        group_path: group.path,
        ...memberOf(admin),
      },
      { event_name: 'group_create', ...groupFields(group) },
    ])
    const below = await server.buildGroup({ parent_id: group.id })
    const project = await server.buildProject({ namespace_id: below.id })
    await happened()
    const path = `${group.path}-2`
    const renamed = (await root('PUT', `/groups/${group.id}`, { path })).body
    const old = { old_path: group.path, old_full_path: group.full_path }
    expect(await happened()).toEqual([
      { event_name: 'group_rename', ...groupFields(renamed), ...old },
    ])
    await root('PUT', `/groups/${group.id}`, { description: 'new' })
    expect(await happened()).toEqual([])
    await root('DELETE', `/groups/${group.id}`)
    const gone = await happened()
    expect(
      gone.map(({ event_name, path_with_namespace, full_path }) => [
        event_name,
        path_with_namespace ?? full_path,
      ]),
    ).toEqual([
      ['project_destroy', `${path}/${below.path}/${project.path}`],
      ['group_destroy', path],
      ['group_destroy', `${path}/${below.path}`],
    ])
  })

  it('send user_add_to_team, user_remove_from_team and those of groups', async () => {
    const { server } = fixture
    const group = await server.buildGroup()
    const project = await server.buildProject({ namespace_id: group.id })
    const user = await server.buildUser()
    const person = memberOf(await userOf(user.id))
    await happened()
    await server.addMember(`projects/${project.id}`, user.id, 20)
    const team = { ...teamFields(project), ...person, access_level: 'Reporter' }
    expect(await happened()).toEqual([{ event_name: 'user_add_to_team', ...team }])
    await root('DELETE', `/projects/${project.id}/members/${user.id}`)
    expect(await happened()).toEqual([{ event_name: 'user_remove_from_team', ...team }])
    await server.addMember(`projects/${project.id}`, user.id, 40)
    await server.addMember(`groups/${group.id}`, user.id, 30)
    const names = { group_id: group.id, group_name: group.name, group_path: group.path }
    const inGroup = { ...dates, ...names, ...person, group_access: 'Developer' }
    expect((await happened())[0]).toEqual({ event_name: 'user_add_to_group', ...inGroup })
    await root('DELETE', `/groups/${group.id}/members/${user.id}`)
    expect(await happened()).toEqual([
      { event_name: 'user_remove_from_group', ...inGroup },
      { event_name: 'user_remove_from_team', ...team, access_level: 'Maintainer' },
    ])
  })

  it('send memberships that expire', async () => {
    const { server } = fixture
    const project = await server.buildProject()
    const user = await server.buildUser()
    const tomorrow = new Date(server.app.now() + 86_400_000).toISOString().slice(0, 10)
    const terms = { user_id: user.id, access_level: 30, expires_at: tomorrow }
    await created(server, `/projects/${project.id}/members`, terms)
    await happened()
    server.advance(3 * 86_400_000)
    await expireMembersJob.run(server.app, null, new AbortController().signal, unrecordedJob)
    const removed = (await happened()).filter(({ user_id }) => user_id === user.id)
    expect(removed).toMatchObject([
      { event_name: 'user_remove_from_team', access_level: 'Developer', project_id: project.id },
    ])
  })
})
