import { Project, SimpleProject } from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const show = (id: number | string, token?: string, query?: string) =>
  server.inject('GET', `/projects/${id}`, {
    ...(token === undefined ? {} : { token }),
    ...(query === undefined ? {} : { query }),
  })

/** A project with a member of each level, and users who are not members. */
async function buildCallers(visibility: string) {
  const owner = await server.buildUser()
  const project = await server.buildProject({ visibility, initialize_with_readme: true }, owner)
  const tokens: Record<string, string | undefined> = { anonymous: undefined, owner: owner.token }
  for (const [name, level] of Object.entries({ guest: 10, reporter: 20, developer: 30 })) {
    const user = await server.buildUser()
    await server.addMember(`projects/${project.id}`, user.id, level)
    tokens[name] = user.token
  }
  tokens.stranger = (await server.buildUser()).token
  tokens.external = (await server.buildUser({ external: true })).token
  tokens.root = server.root.token
  return { project, tokens }
}

const everyone = [
  'anonymous',
  'stranger',
  'external',
  'guest',
  'reporter',
  'developer',
  'owner',
  'root',
]

describe('GET /projects/:id', () => {
  describe.each([
    ['private', ['guest', 'reporter', 'developer', 'owner', 'root']],
    ['internal', ['stranger', 'guest', 'reporter', 'developer', 'owner', 'root']],
    ['public', everyone],
  ])('of a %s project', (visibility, readers) => {
    let cast: Awaited<ReturnType<typeof buildCallers>>
    beforeAll(async () => {
      cast = await buildCallers(visibility)
    })

    it.each(everyone)('answers %s by the visibility, and so does the list', async (who) => {
      const token = cast.tokens[who]
      const { status, body } = await show(cast.project.id, token)
      expect(status).toBe(readers.includes(who) ? 200 : 404)
      if (status === 404) expect(body).toEqual({ message: '404 Project Not Found' })
      const list = await server.inject('GET', '/projects', {
        ...(token === undefined ? {} : { token }),
        query: 'per_page=100',
      })
      const ids = list.body.map((project: Json) => project.id)
      expect(ids.includes(cast.project.id)).toBe(readers.includes(who))
    })
  })

  it('shows anonymous callers the simple shape, exactly', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const { body } = await show(project.id)
    expect(Object.keys(body).toSorted()).toEqual(Object.keys(SimpleProject.shape).toSorted())
  })

  it('shows the fields of each level', async () => {
    const { project, tokens } = await buildCallers('private')
    const secrets = ['runners_token', 'import_error', 'build_git_strategy']
    for (const who of ['guest', 'reporter', 'developer']) {
      const { body } = await show(project.id, tokens[who])
      for (const secret of secrets) expect(body).not.toHaveProperty(secret)
      expect('default_branch' in body).toBe(who !== 'guest')
      expect('ci_config_path' in body).toBe(who !== 'guest')
      expect(body.readme_url === null).toBe(who === 'guest')
      expect(body).not.toHaveProperty('repository_storage')
    }
    for (const who of ['owner', 'root']) {
      const { body } = await show(project.id, tokens[who])
      for (const secret of secrets) expect(body).toHaveProperty(secret)
      expect('repository_storage' in body).toBe(who === 'root')
    }
  })

  it('hides issues, and their count, from callers who may not see them', async () => {
    const owner = await server.buildUser()
    const values = { visibility: 'public', issues_access_level: 'private' }
    const project = await server.buildProject(values, owner)
    const stranger = await server.buildUser()
    const hidden = (await show(project.id, stranger.token)).body
    expect(hidden).not.toHaveProperty('open_issues_count')
    expect(hidden).toMatchObject({ issues_enabled: false, issues_access_level: 'private' })
    expect(hidden._links).not.toHaveProperty('issues')
    const body = (await show(project.id, owner.token)).body
    expect(body).toMatchObject({ open_issues_count: 0, issues_enabled: true })
  })

  it('shows the membership of the caller, direct and through the group', async () => {
    const group = await server.buildGroup()
    const project = await server.buildProject({ namespace_id: group.id })
    const user = await server.buildUser()
    await server.addMember(`groups/${group.id}`, user.id, 20)
    await server.addMember(`projects/${project.id}`, user.id, 30)
    const { body } = await show(project.id, user.token)
    expect(body.permissions).toEqual({
      project_access: { access_level: 30, notification_level: 3 },
      group_access: { access_level: 20, notification_level: 3 },
    })
    const asRoot = await show(project.id, server.root.token)
    expect(asRoot.body.permissions).toEqual({
      project_access: null,
      group_access: { access_level: 50, notification_level: 3 },
    })
  })

  it('shows statistics to reporters and above, on request', async () => {
    const { project, tokens } = await buildCallers('private')
    const reporter = await show(project.id, tokens.reporter, 'statistics=true')
    expect(reporter.body.statistics).toMatchObject({ storage_size: expect.any(Number) })
    const guest = await show(project.id, tokens.guest, 'statistics=true')
    expect(guest.body).not.toHaveProperty('statistics')
    const unasked = await show(project.id, tokens.reporter)
    expect(unasked.body).not.toHaveProperty('statistics')
  })

  it('shows custom attributes to administrators on request', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const path = `/projects/${project.id}/custom_attributes/team`
    await server.inject('PUT', path, { token: server.root.token, body: { value: 'red' } })
    const asked = await show(project.id, server.root.token, 'with_custom_attributes=true')
    expect(asked.body.custom_attributes).toEqual([{ key: 'team', value: 'red' }])
    const user = await server.buildUser()
    const other = await show(project.id, user.token, 'with_custom_attributes=true')
    expect(other.body).not.toHaveProperty('custom_attributes')
  })

  it('finds a project by its full path, in any case, and by nothing else', async () => {
    const group = await server.buildGroup()
    const below = await server.buildGroup({ parent_id: group.id })
    const project = await server.buildProject({ namespace_id: below.id, path: 'Deep.Path' })
    const { token } = server.root
    const encoded = encodeURIComponent(project.path_with_namespace)
    expect((await show(encoded, token)).body.id).toBe(project.id)
    expect((await show(encoded.toUpperCase(), token)).body.id).toBe(project.id)
    expect((await show('Deep.Path', token)).status).toBe(404)
    expect((await show(999_999, token)).status).toBe(404)
    expect((await show('0', token)).status).toBe(404)
    expect((await show('99999999999999999999', token)).status).toBe(404)
  })

  it('has every field of the full shape for an administrator, and no other field', async () => {
    const { project, tokens } = await buildCallers('private')
    const query = 'statistics=true&with_custom_attributes=true'
    const { body } = await show(project.id, tokens.root, query)
    const absent = ['forked_from_project']
    const expected = Object.keys(Project.shape).filter((name) => !absent.includes(name))
    expect(Object.keys(body).toSorted()).toEqual(expected.toSorted())
  })

  it('shows the source of a fork to callers who may read it', async () => {
    const source = await server.buildProject()
    const fork = await server.buildProject({ visibility: 'public' })
    await server.app.db.run('test.fork', { id: fork.id, source: source.id }, (db, $) =>
      db
        .updateTable('projects')
        .set({ forkedFromProjectId: $('source') })
        .where('id', '=', $('id')),
    )
    const root = await show(fork.id, server.root.token)
    expect(root.body.forked_from_project).toMatchObject({ id: source.id })
    const stranger = await show(fork.id, (await server.buildUser()).token)
    expect(stranger.body).not.toHaveProperty('forked_from_project')
  })

  it('ignores expired memberships and shares', async () => {
    const project = await server.buildProject()
    const user = await server.buildUser()
    const day = (offset: number) =>
      new Date(server.app.now() + offset * 86_400_000).toISOString().slice(0, 10)
    await server.addMember(`projects/${project.id}`, user.id, 30, day(1))
    expect((await show(project.id, user.token)).status).toBe(200)
    server.advance(86_400_000)
    expect((await show(project.id, user.token)).status).toBe(200)
    server.advance(86_400_000)
    expect((await show(project.id, user.token)).status).toBe(404)
  })
})
