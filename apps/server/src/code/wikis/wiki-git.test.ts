/**
 * What holds of the repositories of wikis:
 * - `<path>.wiki.git` over HTTP and SSH: read by who may read the wiki, pushed to by who may write
 *   pages; deploy keys and tokens read, and keys with write access push
 * - a wiki that nobody has written to can be cloned and pushed to
 * - what is pushed is seen by the API at once; pushes have none of the effects of those to projects
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRepository } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import {
  buildWorkTree,
  commit,
  git,
  mustGit,
  newFolder,
  remoteUrl,
} from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { openSshServer, type SshServer } from '../git-ssh/ssh-server.ts'
import { wikiRepositoryOf } from './wiki-repository.ts'

let server: TestServer
let base: string
let ann: TestUser
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  base = await server.url()
  ann = await server.buildUser()
})
afterAll(() => server.close())

beforeEach(async () => {
  project = await server.buildProject()
  await server.addMember(`projects/${project.id}`, ann.id, 30)
})

const remote = (who: { username: string; token: string } = ann, of = project) =>
  remoteUrl(base, `${of.path_with_namespace}.wiki`, who.username, who.token)

const wikis = (slug = '', as = ann, of = project) =>
  server.inject('GET', `/projects/${of.id}/wikis${slug === '' ? '' : `/${slug}`}`, {
    token: as.token,
  })

const page = (title: string, content = 'text') =>
  created(server, `/projects/${project.id}/wikis`, { title, content }, ann)

async function clone(url: string): Promise<string> {
  const folder = await newFolder()
  await mustGit(folder, 'clone', '--quiet', url, 'copy')
  return join(folder, 'copy')
}

async function wikiPath(of = project) {
  const row = await findRepository(server.app.db, of.id)
  if (row === undefined) throw new Error('no project')
  return wikiRepositoryOf(server.app, row).path
}

describe('git over HTTP at <project>.wiki.git', () => {
  it('clones an empty wiki, and takes the first push', async () => {
    const copy = await clone(remote())
    expect(existsSync(await wikiPath())).toBe(false)
    await commit(copy, { 'home.md': '# Home\n', 'Notes/My page.markdown': 'x' }, 'Start')
    await mustGit(copy, 'push', '--quiet', 'origin', 'HEAD:main')
    expect((await wikis()).body.map(({ slug }: Json) => slug)).toEqual(['Notes/My-page', 'home'])
    expect((await wikis('Notes%2FMy-page')).body).toEqual({
      content: 'x',
      format: 'markdown',
      slug: 'Notes/My-page',
      title: 'My page',
    })
    await page('by the API')
    await mustGit(copy, 'pull', '--quiet', 'origin', 'main')
    expect(await readFile(join(copy, 'by-the-API.md'), 'utf8')).toBe('text')
  })

  it('shows what the API wrote, and the API what was pushed', async () => {
    await page('home', 'one')
    const copy = await clone(remote())
    expect(await mustGit(copy, 'symbolic-ref', '--short', 'HEAD')).toBe('master')
    await commit(copy, { 'home.md': 'two' }, 'Change')
    await mustGit(copy, 'push', '--quiet')
    expect((await wikis('home')).body.content).toBe('two')
    const body = { content: 'three' }
    await server.inject('PUT', `/projects/${project.id}/wikis/home`, { token: ann.token, body })
    await commit(copy, { 'home.md': 'four' }, 'Too late')
    const late = await git(copy, 'push')
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('rejected')])
    expect(await mustGit(copy, 'push', '--force')).toBe('')
    expect((await wikis('home')).body.content).toBe('four')
  })

  it('addresses pages that differ in case, in the extension or only in blanks', async () => {
    const files = { 'a.md': 'md', 'A.md': 'A', 'a.rdoc': 'rdoc', 'b c.md': 'blank', 'b-c.md': '-' }
    const tree = await buildWorkTree({ ...files, 'b-d.MD': 'capitals', 'x.txt': 'no page' })
    const oid = (await mustGit(tree, 'hash-object', '-w', 'a.md')).trim()
    await mustGit(tree, 'update-index', '--add', '--cacheinfo', `120000,${oid},link.md`)
    await mustGit(tree, 'commit', '--quiet', '-m', 'link')
    await mustGit(tree, 'push', '--quiet', remote(), 'main')
    const { body } = await wikis()
    expect(body.map(({ slug }: Json) => slug)).toEqual(['A', 'a', 'b-c', 'b-d'])
    const content = async (slug: string) => (await wikis(slug)).body.content
    expect([await content('a'), await content('A'), await content('b-c')]).toEqual(['md', 'A', '-'])
    expect(await content('b-d')).toBe('capitals')
    expect((await wikis('link')).status).toBe(404)
    const { token } = server.root
    await server.inject('DELETE', `/projects/${project.id}/wikis/a`, { token })
    expect(await content('a')).toBe('rdoc')
  })

  it('requires the rights of the wiki, which are not those of the code', async () => {
    await page('home')
    const guest = await server.buildUser()
    const stranger = await server.buildUser()
    await server.addMember(`projects/${project.id}`, guest.id, 10)
    const copy = await clone(remote(guest))
    await commit(copy, { 'x.md': 'x' }, 'x')
    const push = await git(copy, 'push')
    expect(push.stderr).toMatch(/not allowed to write to the wiki|403/)
    const folder = await newFolder()
    const code = remoteUrl(base, project.path_with_namespace, guest.username, guest.token)
    expect((await git(folder, 'clone', code, 'a')).code).toBe(128)
    for (const url of [remote(stranger), `${base}/${project.path_with_namespace}.wiki.git`]) {
      expect((await git(folder, 'clone', url, 'a')).code).toBe(128)
    }
    const { token } = server.root
    const body = { wiki_access_level: 'disabled' }
    await server.inject('PUT', `/projects/${project.id}`, { token, body })
    expect((await git(folder, 'clone', remote(ann), 'a')).stderr).toMatch(/403|not allowed/)
    await server.inject('PUT', `/projects/${project.id}`, {
      token,
      body: { wiki_access_level: 'enabled' },
    })
    await server.inject('POST', `/projects/${project.id}/archive`, { token })
    const own = await clone(remote(ann))
    await commit(own, { 'x.md': 'x' }, 'x')
    expect((await git(own, 'push')).code).not.toBe(0)
  })

  it('is open to everyone where the wiki is', async () => {
    const open = await server.buildProject({ visibility: 'public' })
    await created(server, `/projects/${open.id}/wikis`, { title: 'home', content: 'x' })
    const copy = await clone(`${base}/${open.path_with_namespace}.wiki.git`)
    expect(await readFile(join(copy, 'home.md'), 'utf8')).toBe('x')
  })

  it('is read with a deploy token, and with a token for repositories', async () => {
    await page('home')
    const { token } = server.root
    const path = `/projects/${project.id}/deploy_tokens`
    const body = { name: 'x', scopes: ['read_repository'] }
    const made = await server.inject('POST', path, { token, body })
    const deploy = { username: made.body.username, token: made.body.token }
    expect(existsSync(join(await clone(remote(deploy)), 'home.md'))).toBe(true)
    const readOnly = await server.buildToken(ann.id, ['read_repository'])
    const copy = await clone(remote({ ...ann, token: readOnly }))
    await commit(copy, { 'x.md': 'x' }, 'x')
    expect((await git(copy, 'push')).code).not.toBe(0)
  })

  it('refuses other refs, and to delete the branch of the pages', async () => {
    await page('home')
    const copy = await clone(remote())
    const other = await git(copy, 'push', 'origin', 'HEAD:refs/merge-requests/1/head')
    expect(other.stderr).toMatch(/Only branches and tags can be pushed|deny updating/)
    expect((await git(copy, 'push', 'origin', ':master')).stderr).toMatch(/cannot be deleted/)
    await mustGit(copy, 'push', '--quiet', 'origin', 'HEAD:topic')
    await mustGit(copy, 'push', '--quiet', 'origin', ':topic')
  })

  it('has none of the effects of a push to the project, but the size', async () => {
    const events = () =>
      server.inject('GET', `/projects/${project.id}/events`, { token: ann.token })
    const before = (await events()).body.length
    const tree = await buildWorkTree({ 'home.md': 'x' })
    await mustGit(tree, 'push', '--quiet', remote(), 'main')
    await server.runJobs()
    expect((await events()).body).toHaveLength(before)
    const { body } = await server.inject('GET', `/projects/${project.id}?statistics=true`, {
      token: server.root.token,
    })
    expect(body).toMatchObject({ empty_repo: true, default_branch: null })
    const { statistics } = body
    expect(statistics.wiki_size).toBeGreaterThan(100)
    expect(statistics.storage_size).toBe(statistics.repository_size + statistics.wiki_size)
    expect(statistics.commit_count).toBe(0)
  })

  it('is the wiki even if the path of a project ends like that', async () => {
    const path = `${project.path}.wiki`
    const { token } = server.root
    const made = await server.inject('POST', '/projects', { token, body: { name: path, path } })
    expect([made.status, made.body.message]).toEqual([400, { path: ['has already been taken'] }])
    const first = await server.buildProject({ path: `taken-${project.id}.wiki` })
    const second = { name: `taken-${project.id}`, path: `taken-${project.id}` }
    expect((await server.inject('POST', '/projects', { token, body: second })).status).toBe(400)
    const rename = { path: `taken-${project.id}` }
    const renamed = await server.inject('PUT', `/projects/${project.id}`, { token, body: rename })
    expect(renamed.status).toBe(400)
    await server.inject('DELETE', `/projects/${first.id}`, { token })
  })
})

describe('git over SSH at <project>.wiki.git', () => {
  let ssh: SshServer
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wiki-ssh-'))
    ssh = await openSshServer(server.app, { host: '127.0.0.1', port: 0 })
  })
  afterAll(() => ssh.close())

  async function newKey() {
    const path = join(await mkdtemp(join(folder, 'key-')), 'id')
    execFileSync('ssh-keygen', ['-q', '-N', '', '-C', '', '-f', path, '-t', 'ed25519'])
    return { path, key: await readFile(`${path}.pub`, 'utf8') }
  }

  function asKey(key: { path: string }, ...args: string[]): string[] {
    const options =
      '-o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null'
    return ['-c', `core.sshCommand=ssh -F /dev/null -q -i ${key.path} ${options}`, ...args]
  }

  const sshUrl = () => `ssh://git@127.0.0.1:${ssh.port}/${project.path_with_namespace}.wiki.git`

  it('clones an empty wiki, and pushes to it', async () => {
    const key = await newKey()
    const body = { title: 'x', key: key.key }
    await server.inject('POST', '/user/keys', { token: ann.token, body })
    const where = await newFolder()
    await mustGit(where, ...asKey(key, 'clone', '--quiet', sshUrl(), 'copy'))
    const copy = join(where, 'copy')
    await commit(copy, { 'home.md': 'by ssh' }, 'x')
    await mustGit(copy, ...asKey(key, 'push', '--quiet', 'origin', 'HEAD:main'))
    expect((await wikis('home')).body.content).toBe('by ssh')
    await mustGit(where, ...asKey(key, 'clone', '--quiet', sshUrl(), 'again'))
    expect(await readFile(join(where, 'again', 'home.md'), 'utf8')).toBe('by ssh')
  })

  it('lets deploy keys read, and those with write access push', async () => {
    await page('home')
    const [reader, writer] = [await newKey(), await newKey()]
    const { token } = server.root
    for (const [key, can_push] of [
      [reader, false],
      [writer, true],
    ] as const) {
      const body = { title: 'x', key: key.key, can_push }
      const made = await server.inject('POST', `/projects/${project.id}/deploy_keys`, {
        token,
        body,
      })
      expect(made.status).toBe(201)
    }
    const where = await newFolder()
    await mustGit(where, ...asKey(reader, 'clone', '--quiet', sshUrl(), 'copy'))
    const copy = join(where, 'copy')
    await commit(copy, { 'home.md': 'deployed' }, 'x')
    expect((await git(copy, ...asKey(reader, 'push'))).code).not.toBe(0)
    await mustGit(copy, ...asKey(writer, 'push', '--quiet'))
    expect((await wikis('home')).body.content).toBe('deployed')
  })
})
