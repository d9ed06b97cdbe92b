import { join } from 'node:path'
import { findRepository } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import {
  buildWorkTree,
  commit,
  git,
  mustGit,
  newFolder,
  pushedProject,
  remoteUrl,
} from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let base: string

beforeAll(async () => {
  server = await buildTestServer()
  base = await server.url()
})
afterAll(() => server.close())

/** The repository's URL for its owner, or for the given user. */
function remote(project: Json, who: { username: string; token: string } = server.root): string {
  return remoteUrl(base, project.path_with_namespace, who.username, who.token)
}

const pushed = (overrides: object = {}) => pushedProject(server, overrides)

describe('git push', () => {
  it('accepts a repository, which a clone returns', async () => {
    const { project, tree } = await pushed()
    await commit(tree, { 'a.txt': 'a\n' }, 'Add a')
    await mustGit(tree, 'tag', 'v1')
    await mustGit(tree, 'push', remote(project), 'main', 'v1', 'HEAD:refs/heads/topic/x')
    const folder = await newFolder()
    await mustGit(folder, 'clone', '--quiet', remote(project), 'copy')
    const heads = await mustGit(join(folder, 'copy'), 'for-each-ref', '--format=%(refname)')
    expect(heads.split('\n')).toEqual([
      'refs/heads/main',
      'refs/remotes/origin/HEAD',
      'refs/remotes/origin/main',
      'refs/remotes/origin/topic/x',
      'refs/tags/v1',
    ])
    expect(await mustGit(join(folder, 'copy'), 'rev-parse', 'HEAD')).toBe(
      await mustGit(tree, 'rev-parse', 'main'),
    )
  })

  it('gives an empty project its default branch, readme and statistics', async () => {
    const project = await server.buildProject()
    const tree = await buildWorkTree({ 'README.md': '# Hi\n', 'main.ts': 'export {}\n' }, 'trunk')
    await mustGit(tree, 'push', remote(project), 'trunk')
    await server.runJobs()
    const row = await server.app.db.first('test.project', { id: project.id }, (db, $) =>
      db
        .selectFrom('projects')
        .innerJoin('projectStatistics', 'projectStatistics.projectId', 'projects.id')
        .innerJoin('projectLanguages', 'projectLanguages.projectId', 'projects.id')
        .select(['defaultBranch', 'emptyRepo', 'readmePath', 'commitCount', 'repositorySize'])
        .select(['language', 'bytes'])
        .where('projects.id', '=', $('id')),
    )
    expect(row).toMatchObject({
      defaultBranch: 'trunk',
      emptyRepo: 0,
      readmePath: 'README.md',
      commitCount: 1,
      language: 'TypeScript',
      bytes: 10,
    })
    expect(row?.repositorySize).toBeGreaterThan(100)
    const folder = await newFolder()
    await mustGit(folder, 'clone', '--quiet', remote(project), 'copy')
    expect(await mustGit(join(folder, 'copy'), 'symbolic-ref', '--short', 'HEAD')).toBe('trunk')
  })

  it('prefers main among several branches as the default branch', async () => {
    const project = await server.buildProject()
    const tree = await buildWorkTree()
    const names = ['alpha', 'main', 'zeta']
    await mustGit(tree, 'push', remote(project), ...names.map((name) => `HEAD:refs/heads/${name}`))
    const { body } = await server.inject('GET', `/projects/${project.id}`, {
      token: server.root.token,
    })
    expect(body.default_branch).toBe('main')
  })

  it('refuses to delete the default branch, with a reason', async () => {
    const { project, tree } = await pushed()
    await mustGit(tree, 'push', remote(project), 'main:other')
    const { code, stderr } = await git(tree, 'push', remote(project), ':main', ':other')
    expect(code).toBe(1)
    expect(stderr).toMatch(/remote: The default branch of a project cannot be deleted\./)
    for (const name of ['main', 'other']) {
      expect(stderr).toContain(`! [remote rejected] ${name} (pre-receive hook declined)`)
    }
    expect(await mustGit(tree, 'ls-remote', '--heads', remote(project))).toMatch(/heads\/other/)
  })

  it('names the reason for each ref when there are several reasons', async () => {
    const { project, tree } = await pushed()
    const refs = [':main', 'main:refs/heads/HEAD', 'main:refs/notes/x']
    const { stderr } = await git(tree, 'push', remote(project), ...refs)
    expect(stderr).toContain('remote: refs/heads/main: The default branch')
    expect(stderr).toContain('remote: refs/heads/HEAD: No branch may have this name.')
    expect(stderr).toContain('remote: refs/notes/x: Only branches and tags can be pushed.')
  })

  it('refuses invalid branch names, but allows deleting such branches', async () => {
    const { project, tree } = await pushed()
    for (const name of ['HEAD', '-x', 'refs/heads/y']) {
      const { code, stderr } = await git(tree, 'push', remote(project), `main:refs/heads/${name}`)
      expect(code).toBe(1)
      expect(stderr).toMatch(/remote: No branch may have this name\./)
      expect(stderr).toMatch(/! \[remote rejected\] .*\(pre-receive hook declined\)/)
    }
    const row = await findRepository(server.app.db, project.id)
    if (row === undefined) throw new Error('the project is gone')
    const head = await mustGit(tree, 'rev-parse', 'main')
    // As a repository from before this rule may have one.
    await mustGit(repositoryOf(server.app, row).path, 'update-ref', 'refs/heads/-x', head)
    await mustGit(tree, 'push', remote(project), ':refs/heads/-x')
    expect(await mustGit(tree, 'ls-remote', '--heads', remote(project))).not.toMatch(/-x/)
  })

  it('refuses refs that are neither branches nor tags', async () => {
    const { project, tree } = await pushed()
    const { code, stderr } = await git(tree, 'push', remote(project), 'main:refs/notes/x')
    expect(code).toBe(1)
    expect(stderr).toMatch(/remote: Only branches and tags can be pushed\./)
    expect(stderr).toMatch(/! \[remote rejected\] .*\(pre-receive hook declined\)/)
  })

  it('accepts a force push and deletes other branches and tags', async () => {
    const { project, tree } = await pushed()
    await mustGit(tree, 'push', remote(project), 'main:topic', 'main:old', 'main:refs/tags/v1')
    await mustGit(tree, 'commit', '--quiet', '--amend', '--message', 'Other')
    expect((await git(tree, 'push', remote(project), 'HEAD:topic')).code).toBe(1)
    const forced = ['HEAD:topic', ':old', ':refs/tags/v1']
    await mustGit(tree, 'push', '--force', remote(project), ...forced)
    const refs = await mustGit(tree, 'ls-remote', remote(project))
    expect(refs).not.toMatch(/old|v1/)
    expect(refs).toMatch(`${await mustGit(tree, 'rev-parse', 'main')}\trefs/heads/topic`)
  })

  it('refuses objects that git finds corrupt, and stores nothing', async () => {
    const { project, tree } = await pushed()
    const headers = { 'content-type': 'application/x-git-receive-pack-request' }
    const oid = 'a'.repeat(40)
    const line = `${'0'.repeat(40)} ${oid} refs/heads/x\0 report-status side-band-64k`
    const packet = `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`
    const authorization = `Basic ${btoa(`root:${server.root.token}`)}`
    const answer = await fetch(`${base}/${project.path_with_namespace}.git/git-receive-pack`, {
      method: 'POST',
      headers: { ...headers, authorization },
      body: `${packet}PACK nonsense`,
    })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toMatch(/unpack (?!ok)/)
    expect(await mustGit(tree, 'ls-remote', '--heads', remote(project))).not.toMatch(/heads\/x/)
  })
})

describe('git fetch and clone', () => {
  it('serves shallow and partial clones', async () => {
    const { project, tree } = await pushed()
    await commit(tree, { 'a.txt': 'a\n' }, 'Two')
    await commit(tree, { 'a.txt': 'b\n' }, 'Three')
    await mustGit(tree, 'push', remote(project), 'main')
    const folder = await newFolder()
    await mustGit(folder, 'clone', '--quiet', '--depth', '1', remote(project), 'shallow')
    expect(await mustGit(join(folder, 'shallow'), 'rev-list', '--count', 'HEAD')).toBe('1')
    await mustGit(join(folder, 'shallow'), 'fetch', '--quiet', '--unshallow')
    expect(await mustGit(join(folder, 'shallow'), 'rev-list', '--count', 'HEAD')).toBe('3')
    const filter = ['--filter=blob:none', '--no-checkout']
    await mustGit(folder, 'clone', '--quiet', ...filter, remote(project), 'partial')
    const partial = join(folder, 'partial')
    const missing = ['rev-list', '--objects', '--missing=print', '--all']
    expect((await mustGit(partial, ...missing)).match(/^\?/gm)).toHaveLength(3)
    expect(await mustGit(partial, 'show', 'HEAD:a.txt')).toBe('b')
  })

  it('supports protocols 0, 1 and 2', async () => {
    const { project } = await pushed()
    for (const version of ['0', '1', '2']) {
      const folder = await newFolder()
      const setting = `protocol.version=${version}`
      await mustGit(folder, '-c', setting, 'clone', '--quiet', remote(project), 'copy')
      expect(await mustGit(join(folder, 'copy'), 'log', '--format=%s')).toBe('Initial commit')
    }
  })

  it('serves public projects without credentials, and ignores the case of the path', async () => {
    const { project } = await pushed({ visibility: 'public' })
    const folder = await newFolder()
    const path = project.path_with_namespace.toUpperCase()
    await mustGit(folder, 'clone', '--quiet', `${base}/${path}.git`, 'copy')
    expect((await git(join(folder, 'copy'), 'push', 'origin', 'HEAD:x')).stderr).toMatch(
      /could not read Username|Authentication failed/,
    )
  })

  it('finds the repository without .git in the URL', async () => {
    const { project } = await pushed({ visibility: 'public' })
    const folder = await newFolder()
    await mustGit(folder, 'clone', '--quiet', `${base}/${project.path_with_namespace}`, 'copy')
  })

  it('counts as activity of the user, written once a day', async () => {
    const { project } = await pushed()
    const user = await server.buildUser()
    await server.addMember(`projects/${project.id}`, user.id, 20)
    const activity = async () =>
      (await server.inject('GET', `/users/${user.id}`, { token: server.root.token })).body
        .last_activity_on
    expect(await activity()).toBeNull()
    const clone = async () =>
      mustGit(await newFolder(), 'clone', '--quiet', remote(project, user), 'copy')
    await clone()
    const today = new Date(server.app.now()).toISOString().slice(0, 10)
    expect(await activity()).toBe(today)
    const written = vi.spyOn(server.app.db, 'run')
    await clone()
    expect(written.mock.calls.filter(([shape]) => shape === 'users.activity')).toEqual([])
    written.mockRestore()
  })

  it('clones an empty repository', async () => {
    const project = await server.buildProject()
    const folder = await newFolder()
    const { code, stderr } = await git(folder, 'clone', remote(project), 'copy')
    expect(code).toBe(0)
    expect(stderr).toMatch(/empty repository/)
  })
})
