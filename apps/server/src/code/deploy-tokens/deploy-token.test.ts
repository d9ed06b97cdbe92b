import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import { git, mustGit, newFolder, pushedProject, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let maintainer: TestUser

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  project = (await pushedProject(server)).project
  maintainer = await server.buildUser()
  await server.addMember(`projects/${project.id}`, maintainer.id, 40)
})

const path = (end = '') => `/projects/${project.id}/deploy_tokens${end}`

async function create(values: object = {}, who: { token: string } = maintainer) {
  const body = { name: 'Reader', scopes: ['read_repository'], ...values }
  return server.inject('POST', path(), { token: who.token, body })
}

const inDays = (days: number) => new Date(server.app.now() + days * 86_400_000).toISOString()

describe('POST /projects/:id/deploy_tokens', () => {
  it('shows the token once, and stores only its hash', async () => {
    const { status, body } = await create({ expires_at: '2999-01-31', scopes: ['read_registry'] })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Reader',
      username: `deploy-token-${body.id}`,
      expires_at: '2999-01-31T00:00:00.000Z',
      scopes: ['read_registry'],
      token: expect.stringMatching(/^[\w-]{27}$/),
    })
    const listed = await server.inject('GET', path(), { token: maintainer.token })
    const { token, ...shown } = body
    expect(listed.body).toEqual([shown])
    const rows = await server.app.db.all('test.deploy-tokens', {}, (db) =>
      db.selectFrom('deployTokens').selectAll(),
    )
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('keeps the day of a timestamp, in its own time zone', async () => {
    const { body } = await create({ expires_at: '2999-12-24T23:30:00-05:00' })
    expect(body.expires_at).toBe('2999-12-24T00:00:00.000Z')
    const at = (day: number, rest: string) =>
      create({ expires_at: inDays(day).slice(0, 10) + rest })
    expect((await at(0, 'T20:00:00+23:00')).status).toBe(201)
    expect((await at(-1, 'T20:00:00-05:00')).status).toBe(400)
  })

  it('accepts a username and a timestamp, and ignores its time of day', async () => {
    const values = { username: 'ci+reader', expires_at: '2999-01-31T08:00:00Z' }
    const { body } = await create({ ...values, scopes: 'read_repository,read_registry' })
    expect(body).toMatchObject({
      username: 'ci+reader',
      expires_at: '2999-01-31T00:00:00.000Z',
      scopes: ['read_repository', 'read_registry'],
    })
    const blank = await create({ username: '', expires_at: '' })
    expect(blank.body).toMatchObject({
      username: `deploy-token-${blank.body.id}`,
      expires_at: null,
    })
  })

  it('answers 201 to a token that expires today, and 400 to one that expired yesterday', async () => {
    const today = await create({ expires_at: inDays(0) })
    expect(today.status).toBe(201)
    expect(today.body.expires_at).toBe(`${inDays(0).slice(0, 10)}T00:00:00.000Z`)
    const yesterday = await create({ expires_at: inDays(-1) })
    expect([yesterday.status, yesterday.body]).toEqual([
      400,
      { message: { expires_at: ['cannot be a date in the past'] } },
    ])
  })

  it.each([
    [{ name: undefined }, { error: 'name is missing' }],
    [{ name: ' ' }, { message: { name: ["can't be blank"] } }],
    [{ name: 'x'.repeat(256) }, { message: { name: ['is too long (maximum is 255 characters)'] } }],
    [{ scopes: undefined }, { error: 'scopes is missing' }],
    [{ scopes: [] }, { message: { scopes: ["can't be blank"] } }],
    [{ scopes: ['api'] }, { error: 'scopes does not have a valid value' }],
    [{ expires_at: 'soon' }, { error: 'expires_at is invalid' }],
    [{ expires_at: '2020-01-01' }, { message: { expires_at: ['cannot be a date in the past'] } }],
    [
      { username: 'a b' },
      { message: { username: ["can contain only letters, digits, '_', '-', '+', and '.'"] } },
    ],
  ])('answers 400 to %j', async (values, body) => {
    const answer = await create(values)
    expect([answer.status, answer.body]).toEqual([400, body])
  })
})

describe('access to the deploy tokens of a project', () => {
  it('returns 403 below Maintainer, and 404 to non-members', async () => {
    const { body } = await create()
    const developer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, developer.id, 30)
    const stranger = await server.buildUser()
    for (const [method, where] of [
      ['GET', path()],
      ['DELETE', path(`/${body.id}`)],
    ] as const) {
      expect((await server.inject(method, where, { token: developer.token })).status).toBe(403)
      expect((await server.inject(method, where, { token: stranger.token })).status).toBe(404)
    }
    expect((await create({}, developer)).status).toBe(403)
    expect((await create({}, stranger)).status).toBe(404)
  })
})

describe('GET /projects/:id/deploy_tokens', () => {
  it('paginates, oldest first, and lists none of another project', async () => {
    const ids: number[] = []
    for (let i = 0; i < 3; i += 1) ids.push((await create()).body.id)
    const other = await server.buildProject()
    const sent = { name: 'x', scopes: ['read_repository'] }
    await server.inject('POST', `/projects/${other.id}/deploy_tokens`, {
      token: server.root.token,
      body: sent,
    })
    const query = 'per_page=2&page=2'
    const answer = await server.inject('GET', path(), { token: maintainer.token, query })
    expect(answer.body.map((token: Json) => token.id)).toEqual(ids.slice(2))
    expect(answer.headers['x-total']).toBe('3')
  })
})

describe('DELETE /projects/:id/deploy_tokens/:token_id', () => {
  it('revokes the token', async () => {
    const { body } = await create()
    const remove = () => server.inject('DELETE', path(`/${body.id}`), { token: maintainer.token })
    expect((await remove()).status).toBe(204)
    const again = await remove()
    expect([again.status, again.body]).toEqual([404, { message: '404 Deploy Token Not Found' }])
  })

  it('returns 404 for a token of another project', async () => {
    const { body } = await create()
    const other = await server.buildProject()
    const where = `/projects/${other.id}/deploy_tokens/${body.id}`
    expect((await server.inject('DELETE', where, { token: server.root.token })).status).toBe(404)
  })
})

describe('git with a deploy token', () => {
  const remote = async (of: Json, { username, token }: { username: string; token: string }) =>
    remoteUrl(await server.url(), of.path_with_namespace, username, token)

  const status = async (
    of: Json,
    { username, token }: { username: string; token: string },
    service = 'git-upload-pack',
  ) => {
    const headers = { authorization: `Basic ${btoa(`${username}:${token}`)}` }
    const where = `//${of.path_with_namespace}.git/info/refs?service=${service}`
    return (await server.inject('GET', where, { headers })).status
  }

  it('clones its project, and cannot push', async () => {
    const { body } = await create()
    const folder = await newFolder()
    await mustGit(folder, 'clone', '--quiet', await remote(project, body), 'copy')
    const { code, stderr } = await git(`${folder}/copy`, 'push', 'origin', 'HEAD:refs/heads/x')
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/403/)
  })

  it('clones when the code is restricted to members, and when the project is archived', async () => {
    const { body } = await create()
    const root = { token: server.root.token }
    const settings = { visibility: 'public', repository_access_level: 'private' }
    await server.inject('PUT', `/projects/${project.id}`, { ...root, body: settings })
    expect(await status(project, body)).toBe(200)
    await server.inject('POST', `/projects/${project.id}/archive`, root)
    expect(await status(project, body)).toBe(200)
  })

  it('returns 404 for another private project, and reads public ones as everyone does', async () => {
    const { body } = await create()
    const hidden = await server.buildProject()
    expect(await status(hidden, body)).toBe(404)
    const internal = await server.buildProject({ visibility: 'internal' })
    expect(await status(internal, body)).toBe(404)
    const open = await server.buildProject({ visibility: 'public' })
    expect(await status(open, body)).toBe(200)
    expect(await status(open, body, 'git-receive-pack')).toBe(403)
  })

  it('returns 401 once it is revoked or expired, and for another username', async () => {
    const { body } = await create({ expires_at: inDays(2) })
    expect(await status(project, body)).toBe(200)
    expect(await status(project, { ...body, username: 'root' })).toBe(401)
    expect(await status(project, { ...body, username: '' })).toBe(401)
    const revoked = (await create()).body
    await server.inject('DELETE', path(`/${revoked.id}`), { token: maintainer.token })
    expect(await status(project, revoked)).toBe(401)
    server.advance(3 * 86_400_000)
    expect(await status(project, body)).toBe(401)
  })

  it('returns 401 without the scope read_repository', async () => {
    const { body } = await create({ scopes: ['read_registry'] })
    expect(await status(project, body)).toBe(401)
  })

  it('returns 401 to the token on the API', async () => {
    const { body } = await create()
    const ways: Record<string, string>[] = [
      { 'private-token': body.token },
      { authorization: `Bearer ${body.token}` },
    ]
    for (const headers of ways) {
      const where = `/projects/${project.id}`
      expect((await server.inject('GET', where, { headers })).status).toBe(401)
    }
  })

  it('is deleted with its project', async () => {
    const { body } = await create()
    await server.inject('DELETE', `/projects/${project.id}`, { token: server.root.token })
    expect(await status(project, body)).toBe(404)
    await server.runJobs()
    expect(await status(project, body)).toBe(401)
  })
})
