import { commitFiles, readHead } from '@stithy/git'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'
import { repositoryOfId } from '../create/project-repository.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const put = (id: number, token: string | undefined, body: unknown) =>
  server.inject('PUT', `/projects/${id}`, { ...(token === undefined ? {} : { token }), body })

async function buildTeam() {
  const owner = await server.buildUser()
  const project: Json = await server.buildProject({}, owner)
  const maintainer = await server.buildUser()
  const developer = await server.buildUser()
  await server.addMember(`projects/${project.id}`, maintainer.id, 40)
  await server.addMember(`projects/${project.id}`, developer.id, 30)
  return { owner, maintainer, developer, project }
}

describe('PUT /projects/:id', () => {
  it('updates settings for maintainers, and returns the full shape', async () => {
    const { maintainer, project } = await buildTeam()
    const settings = {
      description: 'new',
      ci_default_git_depth: 3,
      only_mirror_protected_branches: true,
      packages_enabled: false,
      external_authorization_classification_label: 'secret',
      tag_list: ['b', 'a'],
      wiki_access_level: 'private',
      path: 'moved',
    }
    const { status, body } = await put(project.id, maintainer.token, settings)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...settings,
      path_with_namespace: `${project.namespace.full_path}/moved`,
    })
    expect(Date.parse(body.last_activity_at)).toBe(Date.parse(project.last_activity_at))
  })

  it('restricts name and visibility to owners and administrators', async () => {
    const { owner, maintainer, project } = await buildTeam()
    expect((await put(project.id, maintainer.token, { name: 'Mine' })).status).toBe(403)
    expect((await put(project.id, maintainer.token, { visibility: 'public' })).status).toBe(403)
    const unchanged = { name: project.name, visibility: 'private' }
    expect((await put(project.id, maintainer.token, unchanged)).status).toBe(200)
    const { body } = await put(project.id, owner.token, { name: 'Ours', visibility: 'public' })
    expect(body).toMatchObject({ name: 'Ours', visibility: 'public' })
    const asRoot = await put(project.id, server.root.token, { visibility: 'internal' })
    expect(asRoot.status).toBe(200)
  })

  it('returns 401, 403 and 404 to unauthorized callers', async () => {
    const { developer, project } = await buildTeam()
    const body = { description: 'x' }
    expect((await put(project.id, undefined, body)).status).toBe(401)
    expect((await put(project.id, developer.token, body)).status).toBe(403)
    expect((await put(project.id, (await server.buildUser()).token, body)).status).toBe(404)
  })

  it('returns 400 without any known parameter', async () => {
    const { owner, project } = await buildTeam()
    for (const body of [{}, { unknown: 1 }]) {
      const answer = await put(project.id, owner.token, body)
      expect(answer.status).toBe(400)
      expect(answer.body.error).toMatch(/are missing, at least one parameter must be provided$/)
    }
  })

  it('returns 400 for taken names, and accepts its own in another case', async () => {
    const { owner, project } = await buildTeam()
    await server.buildProject({ name: 'Other', path: 'other' }, owner)
    const text = ['has already been taken']
    const path = await put(project.id, owner.token, { path: 'OTHER' })
    expect([path.status, path.body]).toEqual([400, { message: { path: text } }])
    const name = await put(project.id, owner.token, { name: 'other' })
    expect(name.body).toEqual({ message: { name: text } })
    const same = await put(project.id, owner.token, { path: project.path.toUpperCase() })
    expect(same.status).toBe(200)
    expect(same.body.path).toBe(project.path.toUpperCase())
  })

  it('returns 400 for a project more visible than its group', async () => {
    const group = await server.buildGroup({ visibility: 'private' })
    const project = await server.buildProject({ namespace_id: group.id })
    const { status, body } = await put(project.id, server.root.token, { visibility: 'public' })
    expect(status).toBe(400)
    expect(body).toEqual({
      message: { visibility_level: ['public is not allowed in a private group.'] },
    })
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ path: '' }, 'path'],
    [{ path: 'a b' }, 'path'],
    [{ description: 'x'.repeat(2001) }, 'description'],
    [{ tag_list: Array.from({ length: 101 }, (_, index) => `t${index}`) }, 'tag_list'],
    [{ repository_storage: 'nowhere' }, 'repository_storage'],
  ])('answers 400 with the field for %j', async (body, field) => {
    const project = await server.buildProject()
    const answer = await put(project.id, server.root.token, body)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.message)).toEqual([field])
  })

  it('sets the default branch to an existing one, in git too', async () => {
    const project = await server.buildProject({ initialize_with_readme: true })
    const repository = repositoryOfId(server.app, project.id, 'default')
    await commitFiles(server.app.git, repository, {
      branch: 'next',
      parent: undefined,
      files: [{ path: 'a', content: Buffer.from('a') }],
      message: 'a',
      author: { name: 'A', email: 'a@example.com' },
    })
    const { token } = server.root
    const moved = await put(project.id, token, { default_branch: 'next' })
    expect([moved.status, moved.body.default_branch]).toEqual([200, 'next'])
    const branches = await server.inject('GET', `/projects/${project.id}/protected_branches`, {
      token,
    })
    expect(branches.body.map(({ name }: Json) => name)).toContain('next')
    expect(await readHead(repository)).toBe('next')
    const unknown = await put(project.id, token, { default_branch: 'absent' })
    expect(unknown.status).toBe(400)
    expect((await put(project.id, token, { default_branch: 'a..b' })).status).toBe(400)
    expect(await readHead(repository)).toBe('next')
  })

  it('returns 400 for an unknown mirror user, and for an import URL', async () => {
    const project = await server.buildProject()
    const { token } = server.root
    const nobody = await put(project.id, token, { mirror_user_id: 99_999 })
    expect([nobody.status, nobody.body]).toEqual([
      400,
      { message: { mirror_user_id: ['is not a user'] } },
    ])
    const user = await server.buildUser()
    const known = await put(project.id, token, { mirror_user_id: user.id })
    expect(known.body.mirror_user_id).toBe(user.id)
    const imported = await put(project.id, token, { import_url: 'ssh://git@example.com/x.git' })
    expect(imported.status).toBe(400)
    expect(imported.body.message).toHaveProperty('import_url')
  })

  it('clears tags and texts with empty values', async () => {
    const project = await server.buildProject({ tag_list: ['a'], ci_config_path: 'x.yml' })
    const body = { tag_list: '', ci_config_path: '', description: '' }
    const answer = await put(project.id, server.root.token, body)
    expect(answer.body).toMatchObject({ tag_list: [], ci_config_path: null, description: '' })
  })

  it('stores an avatar, and serves it to callers who can see the project', async () => {
    const project = await server.buildProject()
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    )
    const boundary = 'a-boundary'
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="avatar"; filename="p.png"\r\nContent-Type: image/png\r\n\r\n`
    const form = (bytes: Buffer) =>
      Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
    const send = (bytes: Buffer) =>
      server.inject('PUT', `/projects/${project.id}`, {
        token: server.root.token,
        form: form(bytes) as unknown as string,
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      })
    const { status, body } = await send(png)
    expect(status).toBe(200)
    expect(body.avatar_url).toMatch(/\/uploads\/-\/system\/project\/avatar\/\d+\/p\.png$/)
    const path = `/${new URL(body.avatar_url).pathname}`
    expect((await server.inject('GET', path, { token: server.root.token })).bytes).toEqual(png)
    expect((await server.inject('GET', path)).status).toBe(404)
    const bad = await send(Buffer.from('no picture'))
    expect(bad.status).toBe(400)
    expect(bad.body.message).toHaveProperty('avatar')
    const other = await put(project.id, server.root.token, { description: 'x' })
    expect(other.body.avatar_url).toBe(body.avatar_url)
    const cleared = await put(project.id, server.root.token, { avatar: '' })
    expect([cleared.status, cleared.body.avatar_url]).toEqual([200, null])
    expect((await server.inject('GET', path, { token: server.root.token })).status).toBe(404)
    await send(png)
    const empty = await send(Buffer.alloc(0))
    expect([empty.status, empty.body.message]).toEqual([
      400,
      { avatar: [expect.stringContaining('is not an image')] },
    ])
    const kept = await put(project.id, server.root.token, { description: 'y' })
    expect(kept.body.avatar_url).toBe(body.avatar_url)
  })

  it('keeps archived projects editable', async () => {
    const project = await server.buildProject()
    await server.inject('POST', `/projects/${project.id}/archive`, { token: server.root.token })
    const answer = await put(project.id, server.root.token, { description: 'still' })
    expect(answer.status).toBe(200)
  })
})
