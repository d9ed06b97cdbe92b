import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import { buildWorkTree, git, mustGit, newFolder, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let base: string
let tree: string

beforeAll(async () => {
  server = await buildTestServer()
  base = await server.url()
  tree = await buildWorkTree()
})
afterAll(() => server.close())

let last = 0
function freshName(): string {
  last += 1
  return `by-push-${last}`
}

const push = (path: string, { username, token }: { username: string; token: string }) =>
  git(tree, 'push', remoteUrl(base, path, username, token), 'main')

async function show(path: string, who: { token: string } = server.root): Promise<Json> {
  const where = `/projects/${encodeURIComponent(path)}`
  return server.inject('GET', where, { token: who.token })
}

async function groupWith(user: TestUser, level: number): Promise<Json> {
  const group = await server.buildGroup()
  await server.addMember(`groups/${group.id}`, user.id, level)
  return group
}

describe('git push to a path without a project', () => {
  it("creates a private project in the user's namespace, and prints a message", async () => {
    const user = await server.buildUser()
    const path = `${user.username}/${freshName()}`
    const { code, stderr } = await push(path, user)
    expect(code).toBe(0)
    expect(stderr).toContain(`remote: The private project ${path} was created.`)
    expect(stderr).toContain(`remote:   git remote add origin http://stithy.test/${path}.git`)
    const { body } = await show(path, user)
    expect(body).toMatchObject({ visibility: 'private', default_branch: 'main' })
    const folder = await newFolder()
    await mustGit(folder, 'clone', '-q', remoteUrl(base, path, user.username, user.token), 'copy')
    const again = await git(
      tree,
      'push',
      remoteUrl(base, path, user.username, user.token),
      'main:x',
    )
    expect(again.stderr).not.toMatch(/created/)
  })

  it('creates a project in a group where the user may create projects', async () => {
    const user = await server.buildUser()
    const group = await groupWith(user, 40)
    const path = `${group.full_path}/${freshName()}`
    expect((await push(path, user)).code).toBe(0)
    expect((await show(path, user)).status).toBe(200)
  })

  it('prints the message also when branch rules refuse the push itself', async () => {
    const user = await server.buildUser()
    const group = await groupWith(user, 30)
    const path = `${group.full_path}/${freshName()}`
    const { code, stderr } = await push(path, user)
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/remote: The private project .* was created\./)
    expect(stderr).toMatch(/remote rejected/)
    expect((await show(path, user)).body.empty_repo).toBe(true)
  })

  it('returns 404 when the user may not create projects, and when the namespace does not exist', async () => {
    const user = await server.buildUser()
    const reported = await groupWith(user, 20)
    const other = await server.buildUser()
    for (const namespace of [reported.full_path, other.username, 'nowhere', '12']) {
      const path = `${namespace}/${freshName()}`
      const { code, stderr } = await push(path, user)
      expect(code).not.toBe(0)
      expect(stderr).toMatch(/not found/)
      expect((await show(path)).status).toBe(404)
    }
  })

  it('returns 404 to a token without write access and to external users, and 401 without credentials', async () => {
    const user = await server.buildUser()
    const path = `${user.username}/${freshName()}`
    const token = await server.buildToken(user.id, ['read_repository'])
    expect((await push(path, { ...user, token })).stderr).toMatch(/not found/)
    const external = await server.buildUser({ external: true })
    expect((await push(`${external.username}/${freshName()}`, external)).stderr).toMatch(
      /not found/,
    )
    const refs = `//${path}.git/info/refs?service=git-receive-pack`
    expect((await server.inject('GET', refs)).status).toBe(401)
    expect((await show(path)).status).toBe(404)
  })

  it('returns 422 with the reason when the project is invalid', async () => {
    const user = await server.buildUser({ projects_limit: 0 })
    const full = await push(`${user.username}/${freshName()}`, user)
    expect(full.code).not.toBe(0)
    expect(full.stderr).toMatch(/remote: The project could not be created: [^.]*\.\n/)
    const named = await push(`${server.root.username}/-dash`, server.root)
    expect(named.stderr).toMatch(
      /remote: The project could not be created: .*path can contain only/,
    )
    expect(named.stderr).toMatch(/422/)
  })

  it('creates nothing for a clone, for a ref discovery, and for a wiki', async () => {
    const user = await server.buildUser()
    const path = `${user.username}/${freshName()}`
    const remote = remoteUrl(base, path, user.username, user.token)
    expect((await git(await newFolder(), 'clone', remote, 'x')).stderr).toMatch(/not found/)
    expect((await git(tree, 'push', '--dry-run', remote, 'main')).code).toBe(0)
    expect((await push(`${path}.wiki`, user)).stderr).toMatch(/not found/)
    expect((await show(path, user)).status).toBe(404)
  })

  it('creates one project for concurrent pushes', async () => {
    const user = await server.buildUser()
    const path = `${user.username}/${freshName()}`
    const remote = remoteUrl(base, path, user.username, user.token)
    // Enough for some to find the path free, and taken when they check the new project.
    const names = Array.from({ length: 10 }, (_, index) => `branch-${index}`)
    const results = await Promise.all(
      names.map((name) => git(tree, 'push', remote, `main:refs/heads/${name}`)),
    )
    expect(results.map(({ code }) => code)).toEqual(names.map(() => 0))
    const heads = await mustGit(tree, 'ls-remote', '--heads', remote)
    expect(heads.match(/refs\/heads\/\w/g)).toHaveLength(names.length)
  })

  it('responds as git itself does for an empty repository', async () => {
    const user = await server.buildUser()
    const empty = await server.buildProject({}, user)
    const headers = { authorization: `Basic ${btoa(`${user.username}:${user.token}`)}` }
    const ask = (path: string) =>
      server.inject('GET', `//${path}.git/info/refs?service=git-receive-pack`, { headers })
    const real = await ask(empty.path_with_namespace)
    const fresh = await ask(`${user.username}/${freshName()}`)
    expect(fresh.status).toBe(200)
    expect(fresh.headers['content-type']).toBe(real.headers['content-type'])
    expect(fresh.text).toBe(real.text)
  })
})
