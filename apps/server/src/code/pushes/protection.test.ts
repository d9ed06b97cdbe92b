import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { refReasons } from '@stithy/core'
import { findRepository } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { callAs } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import {
  buildWorkTree,
  commit,
  type GitResult,
  git,
  mustGit,
  remoteUrl,
} from '../../testing/git/git-client.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let base: string
let developer: TestUser
let maintainer: TestUser
let project: Json
let tree: string

beforeAll(async () => {
  server = await buildTestServer()
  base = await server.url()
  developer = await server.buildUser()
  maintainer = await server.buildUser()
})
afterAll(() => server.close())
beforeEach(async () => {
  project = await server.buildProject()
  await server.addMember(`projects/${project.id}`, developer.id, 30)
  await server.addMember(`projects/${project.id}`, maintainer.id, 40)
  tree = await buildWorkTree()
})

const remote = (who: { username: string; token: string }) =>
  remoteUrl(base, project.path_with_namespace, who.username, who.token)
const push = (who: { username: string; token: string }, ...args: string[]) =>
  git(tree, 'push', remote(who), ...args)

async function protect(kind: 'branches' | 'tags', body: object): Promise<void> {
  const path = `/projects/${project.id}/protected_${kind}`
  const { status } = await callAs(server, 'POST', path, maintainer.token, body)
  expect(status).toBe(201)
}

/** The refusal as git prints it. */
function expectRefused({ code, stderr }: GitResult, reason: string): void {
  expect(stderr).toContain(`remote: ${reason}`)
  expect(stderr).toMatch(/\[remote rejected\] .*\(pre-receive hook declined\)/)
  expect(code).toBe(1)
}

async function folder(): Promise<string> {
  const row = await findRepository(server.app.db, project.id)
  if (row === undefined) throw new Error('the project is gone')
  return repositoryOf(server.app, row).path
}

async function heads(): Promise<string[]> {
  const { stdout } = await git(tree, 'ls-remote', remote(server.root))
  return stdout.split('\n').map((line) => line.replace('\t', ' '))
}

describe('git push to a protected branch', () => {
  beforeEach(async () => {
    await mustGit(tree, 'push', remote(maintainer), 'main')
    await mustGit(tree, 'push', remote(maintainer), 'main:old-stable', 'main:topic')
    await protect('branches', { name: '*-stable', push_access_level: 30 })
    await protect('branches', { name: 'release/*' })
  })

  it('is refused below the access level: create, update and delete, by name and by wildcard', async () => {
    await commit(tree, {}, 'Second')
    const before = await heads()
    expectRefused(await push(developer, 'main'), refReasons.updateBranch)
    expectRefused(await push(developer, 'main:release/1'), refReasons.createBranch)
    expectRefused(await push(developer, ':old-stable'), refReasons.deleteBranchByGit)
    expectRefused(await push(maintainer, ':old-stable'), refReasons.deleteBranchByGit)
    expectRefused(await push(server.root, ':main'), refReasons.deleteDefault)
    expect(await heads()).toEqual(before)
  })

  it('succeeds with the access level, and on unprotected branches', async () => {
    await commit(tree, {}, 'Second')
    const oid = await mustGit(tree, 'rev-parse', 'HEAD')
    const all = ['main:old-stable', 'main:new-stable', 'main:topic', 'main:released']
    expect((await push(developer, ...all)).stderr).not.toContain('rejected')
    await mustGit(tree, 'push', remote(maintainer), 'main', 'main:release/1')
    await mustGit(tree, 'push', remote(developer), '--delete', 'topic')
    expect((await heads()).filter((line) => line.startsWith(oid))).toHaveLength(6)
  })

  it('is refused as a whole for one branch of several', async () => {
    await commit(tree, {}, 'Second')
    const before = await heads()
    const result = await push(developer, 'main:topic', 'main')
    expectRefused(result, refReasons.updateBranch)
    expect(result.stderr).toMatch(/main -> topic \(pre-receive hook declined\)/)
    expect(await heads()).toEqual(before)
  })

  it('is refused as a whole for a name that conflicts with another, and leaves no object', async () => {
    await commit(tree, { 'clash.txt': 'clash' }, 'Second')
    const before = await heads()
    const oid = await mustGit(tree, 'rev-parse', 'HEAD')
    const result = await push(developer, 'main:topic', 'main:stable-x/y', 'main:stable-x')
    expectRefused(result, 'The name conflicts with the ref ')
    expect(await heads()).toEqual(before)
    expect((await git(await folder(), 'cat-file', '-e', oid)).code).not.toBe(0)
  })

  it('never removes commits, whoever pushes, and leaves no object behind', async () => {
    await commit(tree, { 'a.txt': 'a\n' }, 'Second')
    await mustGit(tree, 'push', remote(maintainer), 'main', 'main:old-stable', 'main:topic')
    await mustGit(tree, 'reset', '--quiet', '--hard', 'HEAD~1')
    await commit(tree, { 'b.txt': 'b\n' }, 'Other')
    const path = await folder()
    const state = async () => [
      await heads(),
      await mustGit(path, 'count-objects', '-v'),
      await readdir(join(path, 'objects')),
    ]
    const before = await state()
    for (const who of [developer, maintainer, server.root]) {
      expectRefused(await push(who, '--force', 'main:old-stable'), refReasons.forceBranch)
    }
    expectRefused(await push(maintainer, '--force', 'main', 'main:topic'), refReasons.forceBranch)
    // Back to an existing commit: only the command is sent.
    expectRefused(await push(server.root, '--force', 'HEAD~1:main'), refReasons.forceBranch)
    expect(await state()).toEqual(before)
    await mustGit(tree, 'push', '--force', remote(developer), 'main:topic')
  })

  it('asks git for the history only when a protected branch moves', async () => {
    const started = vi.spyOn(server.app.git.parts.spawner, 'start')
    const questions = () =>
      started.mock.calls.filter(([{ args }]) => args[0] === 'merge-base').length
    await commit(tree, {}, 'Second')
    await mustGit(tree, 'push', remote(developer), 'main:topic', 'main:fresh-stable')
    expect(questions()).toBe(0)
    await mustGit(tree, 'push', remote(developer), 'main:old-stable')
    expect(questions()).toBe(1)
    started.mockRestore()
  })

  it('respects individual users and groups, while the share lasts', async () => {
    const group = await server.buildGroup()
    const member = await server.buildUser()
    await server.addMember(`groups/${group.id}`, member.id, 30)
    const share = `/projects/${project.id}/share`
    const terms = { group_id: group.id, group_access: 30 }
    await callAs(server, 'POST', share, server.root.token, terms)
    const allowed = [{ user_id: developer.id }, { group_id: group.id }]
    await protect('branches', { name: 'named', push_access_level: 0, allowed_to_push: allowed })
    await mustGit(tree, 'push', remote(developer), 'main:named')
    await commit(tree, {}, 'Second')
    await mustGit(tree, 'push', remote(member), 'main:named')
    await commit(tree, {}, 'Third')
    expectRefused(await push(maintainer, 'main:named'), refReasons.updateBranch)
    await server.addMember(`projects/${project.id}`, member.id, 30)
    await callAs(server, 'DELETE', `${share}/${group.id}`, server.root.token)
    expectRefused(await push(member, 'main:named'), refReasons.updateBranch)
    await mustGit(tree, 'push', remote(developer), 'main:named')
  })
})

describe('git push of a protected tag', () => {
  beforeEach(async () => {
    await mustGit(tree, 'push', remote(maintainer), 'main', 'main:refs/tags/v1')
    await protect('tags', { name: 'v*' })
  })

  it('is refused: create below the access level, update and delete for everyone', async () => {
    const before = await heads()
    await commit(tree, {}, 'Second')
    expectRefused(await push(developer, 'main:refs/tags/v2'), refReasons.createTag)
    for (const who of [developer, server.root]) {
      expectRefused(await push(who, '--force', 'main:refs/tags/v1'), refReasons.updateTag)
      expectRefused(await push(who, ':refs/tags/v1'), refReasons.deleteTag)
    }
    expect(await heads()).toEqual(before)
  })

  it('succeeds with the access level, and for other tags', async () => {
    await mustGit(tree, 'push', remote(maintainer), 'main:refs/tags/v2')
    await mustGit(tree, 'push', remote(developer), 'main:refs/tags/w1')
    await commit(tree, {}, 'Second')
    await mustGit(tree, 'push', '--force', remote(developer), 'main:refs/tags/w1')
    await mustGit(tree, 'push', remote(developer), ':refs/tags/w1')
  })
})

describe('git push to an empty repository', () => {
  it('requires the Maintainer role, names the maintainers in the hint, and protects the branch', async () => {
    const refused = await push(developer, 'main')
    expectRefused(refused, refReasons.firstBranch)
    expect(refused.stderr).toContain('Ask a maintainer')
    await mustGit(tree, 'push', remote(maintainer), 'main')
    await commit(tree, {}, 'Second')
    expectRefused(await push(developer, 'main'), refReasons.updateBranch)
    await mustGit(tree, 'push', remote(developer), 'main:topic')
  })

  it.each([
    [0, [], true],
    [1, ['main'], true],
    [3, ['main'], false],
  ])('by setting %i: protects %j, lets developers push: %s', async (setting, names, lets) => {
    await setSetting(server, 'default_branch_protection', setting)
    const { code } = await push(developer, 'main')
    expect(code === 0).toBe(lets)
    if (!lets) await mustGit(tree, 'push', remote(maintainer), 'main')
    await setSetting(server, 'default_branch_protection', 2)
    const path = `/projects/${project.id}/protected_branches`
    const { body } = await callAs(server, 'GET', path, maintainer.token)
    expect(body.map((entry: Json) => entry.name)).toEqual(names)
  })

  it('protects a default branch that was set before the push, and nothing twice', async () => {
    project = await server.buildProject({ default_branch: 'trunk' })
    const path = `/projects/${project.id}/protected_branches`
    const names = async () =>
      (await callAs(server, 'GET', path, server.root.token)).body.map((entry: Json) => entry.name)
    await mustGit(tree, 'push', remote(server.root), 'main:trunk', 'main:other')
    expect(await names()).toEqual(['trunk'])
    project = await server.buildProject()
    await callAs(server, 'POST', `/projects/${project.id}/protected_branches`, server.root.token, {
      name: 'm*',
    })
    await mustGit(tree, 'push', remote(server.root), 'main')
    const { body } = await callAs(
      server,
      'GET',
      `/projects/${project.id}/protected_branches`,
      server.root.token,
    )
    expect(body.map((entry: Json) => entry.name)).toEqual(['m*'])
  })
})
