import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isBlockedHost } from '../../platform/outbound/address.ts'
import { setSettings } from '../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/*
 * - `restricted_visibility_levels`: levels that others than administrators may not use, for new and
 *   changed projects, groups, snippets; forks become as visible as is allowed
 * - `default_project_visibility`, `default_group_visibility`, `default_snippet_visibility`
 * - `default_projects_limit`, `user_default_external`: of new users
 * - `default_project_creation`: 0 nobody, 1 maintainers, 2 developers too
 * - `shared_runners_enabled`: of new projects
 * - `import_sources` without `git`: no `import_url`
 * - `allow_local_requests_from_hooks_and_services`
 */

let server: TestServer
let user: Awaited<ReturnType<TestServer['buildUser']>>

beforeAll(async () => {
  server = await buildTestServer()
  user = await server.buildUser()
})
afterAll(() => server.close())

const initial = {
  restricted_visibility_levels: [],
  default_project_visibility: 'private',
  default_group_visibility: 'private',
  default_snippet_visibility: 'private',
  default_projects_limit: 100_000,
  default_project_creation: 2,
  user_default_external: false,
  shared_runners_enabled: true,
  import_sources: ['git'],
  allow_local_requests_from_hooks_and_services: false,
} as const
afterEach(() => setSettings(server, initial))

let names = 0
const named = () => {
  names += 1
  return { name: `made-${names}`, path: `made-${names}` }
}
const call = (method: string, path: string, body: object, by: { token: string } = user) =>
  server.inject(method, path, { token: by.token, body })

describe('restricted_visibility_levels', () => {
  const text = 'public has been restricted by your administrator'
  const refused = { message: { visibility_level: [text] } }

  it('keep others than administrators from making public projects', async () => {
    const project = (await call('POST', '/projects', named())).body
    await setSettings(server, { restricted_visibility_levels: ['public'] })
    const open = { visibility: 'public' }
    const made = await call('POST', '/projects', { ...named(), ...open })
    expect([made.status, made.body]).toEqual([400, refused])
    const changed = await call('PUT', `/projects/${project.id}`, open)
    expect([changed.status, changed.body]).toEqual([400, refused])
    expect((await call('POST', '/projects', { ...named(), visibility: 'internal' })).status).toBe(
      201,
    )
    expect((await call('POST', '/projects', { ...named(), ...open }, server.root)).status).toBe(201)
    const byRoot = await call('PUT', `/projects/${project.id}`, open, server.root)
    expect(byRoot.body.visibility).toBe('public')
    // What is public already stays so.
    const kept = await call('PUT', `/projects/${project.id}`, { ...open, description: 'x' })
    expect([kept.status, kept.body.visibility]).toEqual([200, 'public'])
  })

  it('apply to whom an administrator creates a project for', async () => {
    await setSettings(server, { restricted_visibility_levels: ['public'] })
    const body = { ...named(), visibility: 'public' }
    const made = await call('POST', `/projects/user/${user.id}`, body, server.root)
    expect([made.status, made.body]).toEqual([400, refused])
  })

  it('keep others than administrators from making public groups', async () => {
    const group = await server.buildGroup({}, user)
    await setSettings(server, { restricted_visibility_levels: ['public'] })
    const made = await call('POST', '/groups', { ...named(), visibility: 'public' })
    expect(made.status).toBe(400)
    expect(made.body.message).toContain(text)
    const changed = await call('PUT', `/groups/${group.id}`, { visibility: 'public' })
    expect([changed.status, changed.body]).toEqual([400, refused])
    const byRoot = await call('POST', '/groups', { ...named(), visibility: 'public' }, server.root)
    expect(byRoot.body.visibility).toBe('public')
  })

  it('keep others than administrators from making public snippets', async () => {
    await setSettings(server, { restricted_visibility_levels: ['public'] })
    const body = { title: 'x', file_name: 'x', content: 'x', visibility: 'public' }
    const made = await call('POST', '/snippets', body)
    expect([made.status, made.body]).toEqual([400, refused])
  })

  it('make forks as visible as is allowed', async () => {
    const source = await server.buildProject({ visibility: 'public', initialize_with_readme: true })
    const fork = async (levels: string[]) => {
      await setSettings(server, { restricted_visibility_levels: levels })
      const made = await call('POST', `/projects/${source.id}/fork`, named())
      return [made.status, made.body.visibility]
    }
    expect(await fork(['public'])).toEqual([201, 'internal'])
    expect(await fork(['public', 'internal'])).toEqual([201, 'private'])
    expect(await fork(['internal'])).toEqual([201, 'public'])
  })
})

describe('default visibilities', () => {
  it('are those of new projects, groups and snippets that name none', async () => {
    await setSettings(server, {
      default_project_visibility: 'internal',
      default_group_visibility: 'public',
      default_snippet_visibility: 'internal',
    })
    expect((await call('POST', '/projects', named())).body.visibility).toBe('internal')
    expect((await call('POST', '/groups', named())).body.visibility).toBe('public')
    const snippet = { title: 'x', file_name: 'x', content: 'x' }
    expect((await call('POST', '/snippets', snippet)).body.visibility).toBe('internal')
  })

  it('are narrowed to the group that a project or subgroup is in', async () => {
    const group = await server.buildGroup({ visibility: 'internal' }, user)
    await setSettings(server, {
      default_project_visibility: 'public',
      default_group_visibility: 'public',
    })
    const project = await call('POST', '/projects', { ...named(), namespace_id: group.id })
    expect([project.status, project.body.visibility]).toEqual([201, 'internal'])
    const subgroup = await call('POST', '/groups', { ...named(), parent_id: group.id })
    expect([subgroup.status, subgroup.body.visibility]).toEqual([201, 'internal'])
  })
})

describe('settings of new users', () => {
  it('are their limit of projects, and whether they are external', async () => {
    await setSettings(server, { default_projects_limit: 1, user_default_external: true })
    const person = (name: string, more: object = {}) => ({
      ...{ username: name, name, email: `${name}@example.com`, password: 'a long password' },
      ...more,
    })
    const made = await call('POST', '/users', person('limited'), server.root)
    expect(made.body).toMatchObject({ projects_limit: 1, external: true })
    const asked = person('asked', { projects_limit: 5, external: false })
    expect((await call('POST', '/users', asked, server.root)).body).toMatchObject({
      projects_limit: 5,
      external: false,
    })
  })
})

describe('default_project_creation', () => {
  it.each([
    [0, [400, 400, 400, 201]],
    [1, [400, 201, 201, 201]],
    [2, [201, 201, 201, 201]],
  ])(
    '%d lets developers, maintainers, owners, administrators create in groups: %j',
    async (value, expected) => {
      await setSettings(server, { default_project_creation: value })
      const group = await server.buildGroup()
      const statuses: number[] = []
      for (const level of [30, 40, 50]) {
        const member = await server.buildUser()
        await server.addMember(`groups/${group.id}`, member.id, level)
        const body = { ...named(), namespace_id: group.id }
        statuses.push((await call('POST', '/projects', body, member)).status)
      }
      const body = { ...named(), namespace_id: group.id }
      statuses.push((await call('POST', '/projects', body, server.root)).status)
      expect(statuses).toEqual(expected)
    },
  )
})

describe('shared_runners_enabled', () => {
  it('is the default of new projects', async () => {
    await setSettings(server, { shared_runners_enabled: false })
    expect((await call('POST', '/projects', named())).body.shared_runners_enabled).toBe(false)
    const asked = { ...named(), shared_runners_enabled: true }
    expect((await call('POST', '/projects', asked)).body.shared_runners_enabled).toBe(true)
  })
})

describe('imports', () => {
  const url = 'https://code.example.com/x.git'

  it('are refused while import_sources lacks git', async () => {
    await setSettings(server, { import_sources: ['github'] })
    const made = await call('POST', '/projects', { ...named(), import_url: url })
    expect(made.status).toBe(400)
    expect(made.body.message.import_url).toEqual([expect.stringContaining('switched off')])
  })

  it('and hooks may go to local addresses while the settings allow it', async () => {
    const local = { ...named(), import_url: 'http://127.0.0.1:1/x.git' }
    const refused = await call('POST', '/projects', local)
    expect(refused.body.message.import_url).toEqual([expect.stringContaining('is blocked')])
    const project = await server.buildProject({}, user)
    const hook = () => call('POST', `/projects/${project.id}/hooks`, { url: 'http://10.0.0.1/' })
    expect((await hook()).status).toBe(422)
    expect(isBlockedHost(server.app, '127.0.0.1')).toBe(true)
    await setSettings(server, { allow_local_requests_from_hooks_and_services: true })
    expect((await hook()).status).toBe(201)
    expect(isBlockedHost(server.app, '127.0.0.1')).toBe(false)
    expect((await call('POST', '/projects', local)).status).toBe(201)
  })
})
