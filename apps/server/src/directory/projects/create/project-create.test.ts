import { existsSync } from 'node:fs'
import { findBranch, readBlob } from '@stithy/git'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'
import { repositoryOfId } from './project-repository.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const create = (token: string | undefined, body: unknown) =>
  server.inject('POST', '/projects', { ...(token === undefined ? {} : { token }), body })

describe('POST /projects', () => {
  it('creates a private project in the personal namespace', async () => {
    const user = await server.buildUser()
    const { status, body } = await create(user.token, { name: 'My Demo', description: 'About' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'My Demo',
      path: 'my-demo',
      path_with_namespace: `${user.username}/my-demo`,
      name_with_namespace: `${user.name} / My Demo`,
      description: 'About',
      visibility: 'private',
      empty_repo: true,
      default_branch: null,
      readme_url: null,
      creator_id: user.id,
      owner: { id: user.id, name: user.name },
      namespace: { kind: 'user', full_path: user.username, parent_id: null },
      permissions: { project_access: { access_level: 40 }, group_access: null },
      request_access_enabled: true,
      merge_method: 'merge',
      ci_default_git_depth: 50,
      shared_with_groups: [],
      archived: false,
      tag_list: [],
    })
    expect(body.runners_token).toMatch(/^[\w-]{20}$/)
    const repository = repositoryOfId(server.app, body.id, 'default')
    expect(repository.path).toMatch(/@hashed\/([0-9a-f]{2})\/([0-9a-f]{2})\/\1\2[0-9a-f]{60}\.git$/)
    expect(existsSync(repository.path)).toBe(true)
  })

  it('derives the name from the path, and vice versa', async () => {
    const byPath = await create(server.root.token, { path: 'Only.Path' })
    expect(byPath.body).toMatchObject({ name: 'Only.Path', path: 'Only.Path' })
    const byName = await create(server.root.token, { name: 'Größe 2' })
    expect(byName.body).toMatchObject({ path: 'gro-e-2' })
  })

  it('sets every setting', async () => {
    const settings = {
      issues_access_level: 'private',
      repository_access_level: 'enabled',
      merge_requests_access_level: 'private',
      builds_access_level: 'enabled',
      wiki_access_level: 'disabled',
      snippets_access_level: 'private',
      resolve_outdated_diff_discussions: true,
      container_registry_enabled: false,
      shared_runners_enabled: false,
      only_allow_merge_if_pipeline_succeeds: true,
      only_allow_merge_if_all_discussions_are_resolved: true,
      lfs_enabled: false,
      request_access_enabled: false,
      auto_devops_enabled: true,
      auto_devops_deploy_strategy: 'manual',
      printing_merge_request_link_enabled: false,
      visibility: 'public',
      merge_method: 'ff',
      tag_list: ['one', 'two'],
      build_git_strategy: 'clone',
      build_timeout: 7200,
      auto_cancel_pending_pipelines: 'disabled',
      build_coverage_regex: '(\\d+)%',
      ci_config_path: 'ci.yml',
      approvals_before_merge: 2,
      mirror: false,
    }
    const { status, body } = await create(server.root.token, {
      name: 'all-settings',
      public_builds: false,
      ...settings,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ ...settings, public_jobs: false, wiki_enabled: false })
  })

  it('uses the older boolean parameters when no level is sent', async () => {
    const { body } = await create(server.root.token, {
      name: 'switches',
      issues_enabled: false,
      wiki_enabled: true,
      jobs_enabled: false,
      snippets_enabled: true,
      snippets_access_level: 'private',
    })
    expect(body).toMatchObject({
      issues_access_level: 'disabled',
      wiki_access_level: 'enabled',
      builds_access_level: 'disabled',
      snippets_access_level: 'private',
    })
    expect(body._links).not.toHaveProperty('issues')
    expect(body).not.toHaveProperty('open_issues_count')
  })

  it('creates an initial commit with a README', async () => {
    const { status, body } = await create(server.root.token, {
      name: 'With Readme',
      description: 'What it is',
      initialize_with_readme: true,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      default_branch: 'master',
      empty_repo: false,
      readme_url: `${body.web_url}/blob/master/README.md`,
    })
    const repository = repositoryOfId(server.app, body.id, 'default')
    const branch = await findBranch(server.app.git, repository, 'master')
    const file = await readBlob(server.app.git, repository, branch?.oid ?? '', 'README.md')
    expect(file?.content.toString()).toBe('# With Readme\n\nWhat it is\n')
  })

  it('uses the requested name of the initial branch', async () => {
    const { body } = await create(server.root.token, {
      name: 'trunk-project',
      default_branch: 'trunk',
      initialize_with_readme: true,
    })
    expect(body.default_branch).toBe('trunk')
  })

  it('creates in a group for its developers, not for its reporters', async () => {
    const group = await server.buildGroup()
    const [developer, reporter] = [await server.buildUser(), await server.buildUser()]
    await server.addMember(`groups/${group.id}`, developer.id, 30)
    await server.addMember(`groups/${group.id}`, reporter.id, 20)
    const body = { name: 'inside', namespace_id: group.id }
    const made = await create(developer.token, body)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      path_with_namespace: `${group.full_path}/inside`,
      namespace: { id: group.id, kind: 'group', parent_id: null },
      permissions: { project_access: null, group_access: { access_level: 30 } },
    })
    expect(made.body).not.toHaveProperty('owner')
    expect(made.body).not.toHaveProperty('runners_token')
    const refused = await create(reporter.token, { ...body, name: 'other' })
    expect(refused.status).toBe(400)
    expect(refused.body).toEqual({ message: { namespace: ['is not valid'] } })
  })

  it.each([
    ['an unknown namespace', async () => 999_999],
    ['the namespace of another user', async () => (await namespaceOf('root')).id],
  ])('answers 400 for %s', async (_, namespace) => {
    const user = await server.buildUser()
    const body = { name: 'x', namespace_id: await namespace() }
    const { status, body: answer } = await create(user.token, body)
    expect(status).toBe(400)
    expect(answer).toEqual({ message: { namespace: ['is not valid'] } })
  })

  it('returns 400 when name or path are taken, in any case', async () => {
    const user = await server.buildUser()
    await create(user.token, { name: 'Taken', path: 'taken-path' })
    const text = ['has already been taken']
    const both = await create(user.token, { name: 'tAKEN', path: 'TAKEN-path' })
    expect(both.status).toBe(400)
    expect(both.body).toEqual({ message: { name: text, path: text } })
    const name = await create(user.token, { name: 'taken', path: 'free' })
    expect(name.body).toEqual({ message: { name: text } })
    const path = await create(user.token, { name: 'Free', path: 'taken-path' })
    expect(path.body).toEqual({ message: { path: text } })
  })

  it('returns 400 when a subgroup has the path', async () => {
    const group = await server.buildGroup()
    await server.buildGroup({ path: 'same', parent_id: group.id })
    const { status, body } = await create(server.root.token, {
      name: 'x',
      path: 'Same',
      namespace_id: group.id,
    })
    expect(status).toBe(400)
    expect(body).toEqual({ message: { path: ['has already been taken'] } })
  })

  it('returns 400 when the project would be more visible than its group', async () => {
    const group = await server.buildGroup({ visibility: 'internal' })
    const body = { name: 'wide', namespace_id: group.id, visibility: 'public' }
    const { status, body: answer } = await create(server.root.token, body)
    expect(status).toBe(400)
    expect(answer).toEqual({
      message: { visibility_level: ['public is not allowed in a internal group.'] },
    })
  })

  it.each([
    [{}, 'name, path are missing, at least one parameter must be provided'],
    [{ name: 'x', visibility: 'hidden' }, 'visibility does not have a valid value'],
    [{ name: 'x', namespace_id: 'abc' }, 'namespace_id is invalid'],
    [{ name: 'x', merge_method: 1 }, 'merge_method does not have a valid value'],
    [{ name: 'a\0b' }, 'name is invalid'],
    [{ name: { a: 1 } }, 'name is invalid'],
  ])('answers 400 for %j', async (body, error) => {
    const answer = await create(server.root.token, body)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ error })
  })

  it.each([{ name: '' }, { path: null }])('answers 400 for the blank %j', async (body) => {
    const { status, body: answer } = await create(server.root.token, body)
    expect([status, answer.message.name]).toEqual([400, ["can't be blank"]])
  })

  it.each([
    [{ name: 'x'.repeat(256), path: 'x' }, 'name'],
    [{ name: 'x', path: 'x'.repeat(256) }, 'path'],
    [{ name: 'x', path: 'a/b' }, 'path'],
    [{ name: 'x', path: '-x' }, 'path'],
    [{ name: 'x', path: 'x.git' }, 'path'],
    [{ name: 'x', path: 'tree' }, 'path'],
    [{ name: '日本' }, 'path'],
    [{ name: 'x', description: 'x'.repeat(2001) }, 'description'],
    [{ name: 'x', default_branch: 'a..b' }, 'default_branch'],
    [{ name: 'x', default_branch: 'refs/heads/x' }, 'default_branch'],
    [
      { name: 'x', default_branch: 'ü'.repeat(126), initialize_with_readme: true },
      'default_branch',
    ],
  ])('answers 400 with the field for %j', async (body, field) => {
    const answer = await create(server.root.token, body)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.message)).toEqual([field])
  })

  it('returns 401 without a token', async () => {
    expect((await create(undefined, { name: 'x' })).status).toBe(401)
  })

  it('returns 400 for an import URL of another scheme, without repeating it', async () => {
    const body = { name: 'imported', import_url: 'ssh://me:secret@example.com/x.git' }
    const answer = await create(server.root.token, body)
    expect(answer.status).toBe(400)
    expect(answer.body.message.import_url).toEqual([
      expect.stringContaining('must be an http or https URL'),
    ])
    expect(answer.text).not.toContain('secret')
    const odd = await create(server.root.token, { ...body, import_url: 'file:///etc' })
    expect(odd.body.message.import_url).toEqual([expect.stringMatching(/^is invalid/)])
    for (const blank of ['', null]) {
      const name = `none-${blank}`
      expect((await create(server.root.token, { name, import_url: blank })).status).toBe(201)
    }
  })

  it('leaves nothing behind when it fails', async () => {
    const before = await server.app.db.first('test.projects', {}, (db) =>
      db.selectFrom('projects').select((eb) => eb.fn.countAll<number>().as('total')),
    )
    await create(server.root.token, { name: 'half', path: 'half' })
    await create(server.root.token, { name: 'half', path: 'half' })
    const after = await server.app.db.first('test.projects', {}, (db) =>
      db.selectFrom('projects').select((eb) => eb.fn.countAll<number>().as('total')),
    )
    expect(after?.total).toBe((before?.total ?? 0) + 1)
  })

  it('records the event and the membership of the owner', async () => {
    const user = await server.buildUser()
    const { body } = await create(user.token, { name: 'evented' })
    const events = await server.inject('GET', `/projects/${body.id}/events`, { token: user.token })
    expect(events.body).toMatchObject([{ action_name: 'created', author_id: user.id }])
    const members = await server.inject('GET', `/projects/${body.id}/members`, {
      token: user.token,
    })
    expect(members.body).toMatchObject([{ id: user.id, access_level: 40, expires_at: null }])
  })

  it('creates only one of two concurrent projects with the same path', async () => {
    const user = await server.buildUser()
    const answers = await Promise.all([1, 2, 3, 4].map(() => create(user.token, { name: 'raced' })))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 400, 400, 400])
  })
})

async function namespaceOf(username: string): Promise<{ id: number }> {
  const { body } = await server.inject('GET', `/namespaces/${username}`, {
    token: server.root.token,
  })
  return body
}
