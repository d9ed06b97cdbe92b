import { existsSync } from 'node:fs'
import { findRepository } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import {
  commit,
  mustGit,
  newFolder,
  pushedProject,
  remoteUrl,
} from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

interface Actor {
  token: string
}

const fork = (source: Json, body: object = {}, { token }: Actor = server.root) =>
  server.inject('POST', `/projects/${source.id}/fork`, { token, body })
const show = async (project: Json, { token }: Actor = server.root, query = '') =>
  (await server.inject('GET', `/projects/${project.id}${query}`, { token })).body
const edit = (project: Json, body: object) =>
  server.inject('PUT', `/projects/${project.id}`, { token: server.root.token, body })
const forksOf = (project: Json, { token }: Partial<Actor> = server.root, query = '') =>
  server.inject('GET', `/projects/${project.id}/forks${query}`, token ? { token } : {})

/** A public project of root with one commit on `main`, whose statistics are counted. */
async function buildSource(overrides: object = {}) {
  const pushed = await pushedProject(server, { visibility: 'public', ...overrides })
  await server.runJobs()
  return { ...pushed, project: await show(pushed.project) }
}

/** Another name, for a fork beside its source. */
const as = (name: string) => ({ name, path: name })

async function buildFork(source: Json, body: object = {}, actor?: Actor): Promise<Json> {
  const answer = await fork(source, body, actor)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

describe('POST /projects/:id/fork', () => {
  it('creates a complete project in the namespace of the caller, with 201', async () => {
    const { project } = await buildSource({ description: 'About', ci_config_path: 'x.yml' })
    const user = await server.buildUser()
    const made = await buildFork(project, {}, user)
    expect(made).toMatchObject({
      name: project.name,
      path: project.path,
      path_with_namespace: `${user.username}/${project.path}`,
      description: 'About',
      visibility: 'public',
      creator_id: user.id,
      default_branch: 'main',
      empty_repo: false,
      import_status: 'finished',
      archived: false,
      forks_count: 0,
      star_count: 0,
      forked_from_project: { id: project.id, path_with_namespace: project.path_with_namespace },
    })
    expect(made.readme_url).toContain('/blob/main/README.md')
    expect(await show(project)).toMatchObject({ forks_count: 1 })
    expect(project).not.toHaveProperty('forked_from_project')
  })

  it('has statistics, languages and a protected default branch at once', async () => {
    const { project, tree, remote } = await pushedProject(server, { visibility: 'public' })
    await mustGit(tree, 'rm', '-q', 'README.md')
    const code = { 'a.ts': 'export {}\n', 'b.py': 'x = 1\n' }
    await commit(tree, code, 'Code')
    await mustGit(tree, 'push', remote, 'main')
    await server.runJobs()
    const made = await buildFork(project, as('at-once'))
    const { statistics } = await show(made, server.root, '?statistics=true')
    expect(statistics).toMatchObject({ commit_count: 2 })
    expect(statistics.repository_size).toBeGreaterThan(0)
    expect(statistics.storage_size).toBe(statistics.repository_size)
    const read = async (project: Json, path: string) =>
      (await server.inject('GET', `/projects/${project.id}/${path}`, server.root)).body
    expect(await read(made, 'languages')).toEqual(await read(project, 'languages'))
    expect(Object.keys(await read(made, 'languages'))).toHaveLength(2)
    expect(await read(made, 'protected_branches')).toMatchObject([{ name: 'main' }])
    await server.runJobs()
    const later = (await show(made, server.root, '?statistics=true')).statistics
    expect(later.commit_count).toBe(2)
    const events = await read(made, 'events')
    expect(events).toMatchObject([{ action_name: 'created', author_id: 1 }])
  })

  it('takes a namespace by id or path, a name and a path', async () => {
    const { project } = await buildSource()
    const group = await server.buildGroup({ visibility: 'public' })
    const first = await buildFork(project, { namespace: group.full_path, path: 'by-path' })
    expect(first.path_with_namespace).toBe(`${group.full_path}/by-path`)
    expect(first.name).toBe(project.name)
    const second = await buildFork(project, { namespace: group.id, name: 'By id' })
    expect(second.path_with_namespace).toBe(`${group.full_path}/${project.path}`)
    expect(second.name).toBe('By id')
    expect((await show(project)).forks_count).toBe(2)
  })

  it('takes namespace_id, namespace_path, visibility and description, as newer clients send', async () => {
    const { project } = await buildSource({ description: 'About' })
    const group = await server.buildGroup({ visibility: 'public' })
    const byId = await buildFork(project, { namespace_id: group.id, ...as('by-id') })
    expect(byId.path_with_namespace).toBe(`${group.full_path}/by-id`)
    const byPath = await buildFork(project, {
      ...{ namespace_path: group.full_path, ...as('by-path') },
      ...{ visibility: 'private', description: 'Mine' },
    })
    expect(byPath).toMatchObject({
      path_with_namespace: `${group.full_path}/by-path`,
      visibility: 'private',
      description: 'Mine',
    })
    expect((await buildFork(project, { ...as('none'), description: '' })).description).toBe('')
    const user = await server.buildUser()
    const answers = [
      await fork(project, { namespace_id: 999_999 }, user),
      await fork(project, { namespace_path: group.full_path }, user),
    ]
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([404, { message: '404 Target Namespace Not Found' }])
    }
  })

  it('is as visible as asked, and never more than the source and the group', async () => {
    const { project } = await buildSource({ visibility: 'internal' })
    const group = await server.buildGroup({ visibility: 'private' })
    const visibilityOf = async (name: string, body: object) =>
      (await buildFork(project, { ...as(name), ...body })).visibility
    expect(await visibilityOf('one', { visibility: 'private' })).toBe('private')
    expect(await visibilityOf('two', { visibility: 'public' })).toBe('internal')
    const inGroup = { visibility: 'internal', namespace_id: group.id }
    expect(await visibilityOf('three', inGroup)).toBe('private')
  })

  it('with 400 for several namespaces and an unknown visibility, 409 for a long description', async () => {
    const { project } = await buildSource()
    const two = { namespace: 'root', namespace_path: 'root' }
    expect((await fork(project, { ...as('two'), ...two })).status).toBe(400)
    expect((await fork(project, { ...as('bad'), visibility: 'secret' })).status).toBe(400)
    const long = await fork(project, { ...as('long'), description: 'x'.repeat(2001) })
    expect([long.status, Object.keys(long.body.message)]).toEqual([409, ['description']])
    expect((await show(project)).forks_count).toBe(0)
  })

  it('copies the description, avatar, shared runners, git depth, levels of builds and code', async () => {
    const { project } = await buildSource()
    const settings = {
      shared_runners_enabled: false,
      ci_default_git_depth: 7,
      builds_access_level: 'private',
      repository_access_level: 'private',
      merge_requests_access_level: 'private',
      tag_list: ['not', 'copied'],
      build_timeout: 7200,
    }
    expect((await edit(project, settings)).status).toBe(200)
    const form = new FormData()
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
    form.append('avatar', new File([png], 'logo.png', { type: 'image/png' }))
    const url = `${await server.url()}/api/v4/projects/${project.id}`
    const headers = { 'private-token': server.root.token }
    expect((await fetch(url, { method: 'PUT', headers, body: form })).status).toBe(200)
    const source = await show(project)
    const made = await buildFork(source, as('with-settings'))
    expect(made).toMatchObject({
      shared_runners_enabled: false,
      ci_default_git_depth: 7,
      builds_access_level: 'private',
      repository_access_level: 'private',
      tag_list: [],
      build_timeout: 3600,
    })
    expect(made.avatar_url).toMatch(/logo\.png$/)
    // The file is a copy: the one of the source may go.
    await edit(source, { avatar: '' })
    expect((await show(source)).avatar_url).toBeNull()
    expect(
      (await fetch(made.avatar_url.replace('http://stithy.test', await server.url()))).status,
    ).toBe(200)
  })

  it.each([
    ['public', 'public', 'public'],
    ['public', 'internal', 'internal'],
    ['internal', 'public', 'internal'],
    ['private', 'public', 'private'],
    ['public', 'private', 'private'],
  ])('of a %s project in a %s group is %s', async (visibility, ofGroup, expected) => {
    const source = await server.buildProject({ visibility })
    const group = await server.buildGroup({ visibility: ofGroup })
    const made = await buildFork(source, { namespace: group.id })
    expect(made.visibility).toBe(expected)
  })

  it('of an empty project is empty', async () => {
    const source = await server.buildProject({ visibility: 'public' })
    const made = await buildFork(source, as('empty'))
    expect(made).toMatchObject({ empty_repo: true, default_branch: null, readme_url: null })
  })

  it('of an archived project is not archived', async () => {
    const { project } = await buildSource()
    const { token } = server.root
    await server.inject('POST', `/projects/${project.id}/archive`, { token })
    expect(await buildFork(project, as('unarchived'))).toMatchObject({ archived: false })
  })

  it('makes the user of the namespace a maintainer, who can push and clone', async () => {
    const { project, tree } = await buildSource()
    const user = await server.buildUser()
    const made = await buildFork(project, {}, user)
    const url = await server.url()
    const remote = remoteUrl(url, made.path_with_namespace, user.username, user.token)
    const pushed = await commit(tree, { 'own.txt': 'own\n' }, 'Of the fork')
    await mustGit(tree, 'push', remote, 'HEAD:main')
    await server.runJobs()
    const clone = await newFolder()
    await mustGit(clone, 'clone', '--quiet', remote, '.')
    expect(await mustGit(clone, 'rev-parse', 'HEAD')).toBe(pushed)
    await mustGit(clone, 'fsck', '--strict')
    // The source is as before.
    const branch = await server.inject('GET', `/projects/${project.id}/repository/branches/main`)
    expect(branch.body.commit.id).toBe(await mustGit(tree, 'rev-parse', 'HEAD~'))
  })
})

describe('POST /projects/:id/fork fails', () => {
  it('with 404 for a namespace that is missing or not for the caller', async () => {
    const { project } = await buildSource()
    const user = await server.buildUser()
    const group = await server.buildGroup({ visibility: 'public' })
    await server.addMember(`groups/${group.id}`, user.id, 20)
    for (const namespace of [group.id, 'root', 'missing', '999999']) {
      const { status, body } = await fork(project, { namespace }, user)
      expect([status, body]).toEqual([404, { message: '404 Target Namespace Not Found' }])
    }
    expect((await show(project)).forks_count).toBe(0)
  })

  it('with 409 for a name or path that is taken', async () => {
    const { project } = await buildSource()
    const taken = ['has already been taken']
    const { status, body } = await fork(project)
    expect([status, body]).toEqual([409, { message: { name: taken, path: taken } }])
    const other = await fork(project, { name: 'Another name' })
    expect([other.status, other.body]).toEqual([409, { message: { path: taken } }])
    expect((await show(project)).forks_count).toBe(0)
  })

  it('with 409 for a name or path that no project may have', async () => {
    const { project } = await buildSource()
    for (const [body, field] of [
      [{ path: 'tree' }, 'path'],
      [{ path: 'a b' }, 'path'],
      [{ path: 'x'.repeat(256) }, 'path'],
      [{ name: '<script>', path: 'fine' }, 'name'],
    ] as const) {
      const answer = await fork(project, body)
      expect([answer.status, Object.keys(answer.body.message)]).toEqual([409, [field]])
    }
    expect((await show(project)).forks_count).toBe(0)
  })

  it('with 404 for external users with a role and no namespace to create projects in', async () => {
    const source = await server.buildProject({ visibility: 'private' })
    const group = await server.buildGroup({ visibility: 'public' })
    const external = await server.buildUser({ external: true })
    await server.addMember(`projects/${source.id}`, external.id, 40)
    await server.addMember(`groups/${group.id}`, external.id, 50)
    for (const namespace of [undefined, group.id]) {
      const { status, body } = await fork(source, { namespace }, external)
      expect([status, body]).toEqual([404, { message: '404 Target Namespace Not Found' }])
    }
  })

  it('with 403 at the project limit', async () => {
    const { project } = await buildSource()
    const user = await server.buildUser({ projects_limit: 0 })
    const { status, body } = await fork(project, {}, user)
    expect(status).toBe(403)
    expect(body.error[0]).toContain('cannot have personal projects')
  })

  it('with 401, 404 and 409 for callers who may not', async () => {
    const secret = await server.buildProject({ visibility: 'private' })
    const open = await server.buildProject({ visibility: 'public' })
    const [user, guest, reporter] = await Promise.all([1, 2, 3].map(() => server.buildUser()))
    const external = await server.buildUser({ external: true })
    if (!user || !guest || !reporter) throw new Error('no users')
    await server.addMember(`projects/${secret.id}`, guest.id, 10)
    await server.addMember(`projects/${secret.id}`, reporter.id, 20)
    expect((await server.inject('POST', `/projects/${open.id}/fork`, { body: {} })).status).toBe(
      401,
    )
    const forbidden = { status: 409, body: { message: 'Forking is forbidden' } }
    expect(await fork(open, {}, external)).toMatchObject(forbidden)
    expect((await fork(secret, {}, user)).status).toBe(404)
    expect(await fork(secret, {}, guest)).toMatchObject(forbidden)
    expect((await fork(secret, {}, reporter)).status).toBe(201)
    await edit(open, { repository_access_level: 'private' })
    expect(await fork(open, {}, user)).toMatchObject(forbidden)
  })

  it('with 404 for a source that is deleted meanwhile, and leaves no repository', async () => {
    const { project } = await buildSource()
    const { token } = server.root
    const answers = await Promise.all([
      fork(project, as('meanwhile')),
      server.inject('DELETE', `/projects/${project.id}`, { token }),
    ])
    const [made] = answers
    expect([201, 404]).toContain(made.status)
    if (made.status === 201) expect(await show(made.body)).not.toHaveProperty('forked_from_project')
    await server.runJobs()
    if (made.status === 201) expect((await show(made.body)).default_branch).toBe('main')
  })

  it('once of several at the same time with the same path, and counts the one', async () => {
    const { project } = await buildSource()
    const answers = await Promise.all([1, 2, 3].map(() => fork(project, as('same-time'))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    expect((await show(project)).forks_count).toBe(1)
  })
})

describe('GET /projects/:id/forks', () => {
  it('lists direct forks that the caller can see, with the filters of projects', async () => {
    const { project } = await buildSource()
    const user = await server.buildUser()
    const open = await buildFork(project, as('open'), user)
    const hidden = await buildFork(project, as('hidden'), user)
    await edit(hidden, { visibility: 'private' })
    await buildFork(open, as('of-a-fork'))
    const ids = async (actor?: Partial<Actor>, query = '?order_by=id&sort=asc') => {
      const { status, body } = await forksOf(project, actor, query)
      expect(status).toBe(200)
      return body.map(({ id }: Json) => id)
    }
    expect(await ids()).toEqual([open.id, hidden.id])
    expect(await ids(await server.buildUser())).toEqual([open.id])
    expect(await ids({})).toEqual([open.id])
    expect(await ids(user, '?owned=true&visibility=private')).toEqual([hidden.id])
    expect(await ids(server.root, '?search=pen')).toEqual([open.id])
    expect(await ids(server.root, '?archived=true')).toEqual([])
    const page = await forksOf(project, server.root, '?per_page=1&page=2')
    expect(page.headers['x-total']).toBe('2')
    const [shown] = (await forksOf(project, server.root, '?search=pen')).body
    expect(shown.forked_from_project.id).toBe(project.id)
    expect(shown.permissions).toBeDefined()
  })

  it.each([
    ['owned=true', ['fork-b']],
    ['membership=true', ['fork-b', 'fork-c']],
    ['min_access_level=30', ['fork-b', 'fork-c']],
    ['min_access_level=40', ['fork-b']],
    ['starred=true', ['fork-c']],
    ['archived=true', ['fork-a']],
    ['archived=false', ['fork-b', 'fork-c']],
    ['visibility=internal', ['fork-b']],
    ['search=fork-c', ['fork-c']],
    ['with_issues_enabled=true', ['fork-a', 'fork-b']],
    ['with_merge_requests_enabled=true', ['fork-a', 'fork-c']],
    // Filters of other lists, which are ignored.
    ['with_programming_language=Ruby', ['fork-a', 'fork-b', 'fork-c']],
    ['wiki_checksum_failed=true', ['fork-a', 'fork-b', 'fork-c']],
    ['repository_checksum_failed=true', ['fork-a', 'fork-b', 'fork-c']],
  ])('filters by %s', async (query, expected) => {
    filtered ??= buildFiltered()
    const { project, user } = await filtered
    const { status, body } = await forksOf(project, user, `?${query}&order_by=name&sort=asc`)
    expect([status, body.map(({ path }: Json) => path)]).toEqual([200, expected])
  })

  let filtered: ReturnType<typeof buildFiltered> | undefined
  async function buildFiltered() {
    const { project } = await buildSource()
    const user = await server.buildUser()
    const a = await buildFork(project, as('fork-a'))
    const b = await buildFork(project, as('fork-b'), user)
    const c = await buildFork(project, as('fork-c'))
    const { token } = server.root
    await server.inject('POST', `/projects/${a.id}/archive`, { token })
    await edit(b, { visibility: 'internal', merge_requests_access_level: 'disabled' })
    await edit(c, { issues_access_level: 'disabled' })
    await server.addMember(`projects/${c.id}`, user.id, 30)
    await server.inject('POST', `/projects/${c.id}/star`, { token: user.token })
    return { project, user }
  }

  it('shows the simple shape, statistics and custom attributes when asked', async () => {
    const { project } = await buildSource()
    const { id } = await buildFork(project, as('shapes'))
    const { token } = server.root
    const at = `/projects/${id}/custom_attributes/key`
    await server.inject('PUT', at, { token, body: { value: 'x' } })
    const one = async (query: string) => (await forksOf(project, server.root, query)).body[0]
    expect(await one('?simple=true')).not.toHaveProperty('visibility')
    expect(await one('')).not.toHaveProperty('statistics')
    expect((await one('?statistics=true')).statistics.commit_count).toBe(1)
    const shown = await one('?with_custom_attributes=true')
    expect(shown.custom_attributes).toEqual([{ key: 'key', value: 'x' }])
  })

  it('returns 404 for a project that the caller cannot read', async () => {
    const project = await server.buildProject({ visibility: 'private' })
    expect((await forksOf(project, await server.buildUser())).status).toBe(404)
    expect((await forksOf(project, {})).status).toBe(404)
  })
})

describe('forked_from_project', () => {
  it('is shown to those who can read the source, to others the fork is any project', async () => {
    const { project } = await buildSource({ visibility: 'private' })
    const made = await buildFork(project, as('shared'))
    const user = await server.buildUser()
    await server.addMember(`projects/${made.id}`, user.id, 40)
    expect((await show(made)).forked_from_project.id).toBe(project.id)
    expect(await show(made, user)).not.toHaveProperty('forked_from_project')
    const listed = await server.inject('GET', '/projects?membership=true', { token: user.token })
    expect(listed.body).toMatchObject([{ id: made.id }])
    expect(listed.body[0]).not.toHaveProperty('forked_from_project')
    await server.addMember(`projects/${project.id}`, user.id, 10)
    expect((await show(made, user)).forked_from_project.id).toBe(project.id)
  })

  it('and forks_count stay when the fork moves to another namespace', async () => {
    const { project } = await buildSource()
    const made = await buildFork(project, as('moving'))
    const group = await server.buildGroup({ visibility: 'public' })
    const { token } = server.root
    const body = { namespace: group.id }
    const moved = await server.inject('PUT', `/projects/${made.id}/transfer`, { token, body })
    expect(moved.status).toBe(200)
    expect((await show(made)).forked_from_project.id).toBe(project.id)
    expect((await show(project)).forks_count).toBe(1)
    await server.inject('DELETE', `/groups/${group.id}`, { token })
    await server.runJobs()
    expect((await show(project)).forks_count).toBe(0)
  })

  it('ends with the user who owned the source', async () => {
    const user = await server.buildUser()
    const source = await server.buildProject({ visibility: 'public' }, user)
    const made = await buildFork(source, as('orphan'))
    const { token } = server.root
    await server.inject('DELETE', `/users/${user.id}?hard_delete=true`, { token })
    await server.runJobs()
    expect(await show(made)).not.toHaveProperty('forked_from_project')
  })
})

describe('the visibility of forks', () => {
  it('is narrowed with that of the source, also of forks of forks', async () => {
    const { project } = await buildSource()
    const child = await buildFork(project, as('child'))
    const grandchild = await buildFork(child, as('grandchild'))
    const hidden = await buildFork(project, as('hidden'))
    await edit(hidden, { visibility: 'private' })
    const all = async () =>
      Promise.all([child, grandchild, hidden].map(async (each) => (await show(each)).visibility))
    expect((await edit(project, { visibility: 'internal' })).status).toBe(200)
    expect(await all()).toEqual(['internal', 'internal', 'private'])
    await edit(project, { visibility: 'private' })
    expect(await all()).toEqual(['private', 'private', 'private'])
    await edit(project, { visibility: 'public' })
    expect(await all()).toEqual(['private', 'private', 'private'])
  })

  it('is narrowed when the source moves to a narrower group', async () => {
    const { project } = await buildSource()
    const child = await buildFork(project, as('stays'))
    const group = await server.buildGroup({ visibility: 'internal' })
    const { token } = server.root
    const body = { namespace: group.id }
    const moved = await server.inject('PUT', `/projects/${project.id}/transfer`, { token, body })
    expect(moved.status).toBe(200)
    expect((await show(child)).visibility).toBe('internal')
    expect((await show(child)).forked_from_project.id).toBe(project.id)
  })

  it('cannot exceed that of the source: 400', async () => {
    const { project } = await buildSource({ visibility: 'internal' })
    const child = await buildFork(project, as('below'))
    const { status, body } = await edit(child, { visibility: 'public' })
    expect(status).toBe(400)
    expect(body.message.visibility_level[0]).toContain('fork source project')
  })
})

describe('the deletion', () => {
  it('of the source ends the relation, and the fork keeps its contents', async () => {
    const { project } = await buildSource()
    const child = await buildFork(project, as('survivor'))
    const location = await findRepository(server.app.db, project.id)
    const { token } = server.root
    await server.inject('DELETE', `/projects/${project.id}`, { token })
    await server.runJobs()
    expect(location && existsSync(repositoryOf(server.app, location).path)).toBe(false)
    expect(await show(child)).not.toHaveProperty('forked_from_project')
    const remote = remoteUrl(await server.url(), child.path_with_namespace, 'root', token)
    const clone = await newFolder()
    await mustGit(clone, 'clone', '--quiet', remote, '.')
    await mustGit(clone, 'fsck', '--strict')
    // Free of the source, it may be as visible as its namespace allows.
    expect((await edit(child, { visibility: 'public' })).status).toBe(200)
  })

  it('of a fork is counted, and the source keeps its contents', async () => {
    const { project, remote } = await buildSource()
    const child = await buildFork(project, as('short-lived'))
    const { token } = server.root
    await server.inject('DELETE', `/projects/${child.id}`, { token })
    await server.runJobs()
    expect((await show(project)).forks_count).toBe(0)
    const clone = await newFolder()
    await mustGit(clone, 'clone', '--quiet', remote, '.')
    await mustGit(clone, 'fsck', '--strict')
  })
})

describe('POST /projects/:id/fork while the namespace is deleted', () => {
  it('leaves neither a project nor a count', async () => {
    const { project } = await buildSource()
    const group = await server.buildGroup({ visibility: 'public' })
    const { token } = server.root
    const [made] = await Promise.all([
      fork(project, { namespace: group.id }),
      server.inject('DELETE', `/groups/${group.id}`, { token }),
    ])
    expect([201, 404, 409]).toContain(made.status)
    await server.runJobs()
    expect((await forksOf(project)).body).toEqual([])
    expect((await show(project)).forks_count).toBe(0)
  })
})
