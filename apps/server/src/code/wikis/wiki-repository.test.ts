/**
 * What holds of the repositories of wikis: each is beside that of its project, and is deleted,
 * swept, packed and measured with it, is not copied to forks, and has a snapshot (`wiki=true`).
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRepository } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { mustGit, newFolder, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { sweepRepositoriesJob } from '../housekeeping/housekeeping.jobs.ts'
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

const wikis = (slug = '', as: { token: string } = ann, of = project) =>
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

describe('the repository of a wiki', () => {
  it('is deleted with its project', async () => {
    await page('home')
    const path = await wikiPath()
    expect(path).toMatch(/@hashed\/.*\.wiki\.git$/)
    expect(existsSync(path)).toBe(true)
    await server.inject('DELETE', `/projects/${project.id}`, { token: server.root.token })
    await server.runJobs()
    expect(existsSync(path)).toBe(false)
    expect((await wikis('', server.root)).status).toBe(404)
  })

  it('is swept when its project is gone, and not before', async () => {
    await page('home')
    const kept = await wikiPath()
    const orphan = kept.replace('.wiki.git', '0.wiki.git')
    execFileSync('cp', ['-r', kept, orphan])
    execFileSync('touch', ['-d', '2 days ago', kept, orphan])
    const { signal } = new AbortController()
    await sweepRepositoriesJob.run(server.app, {}, signal, {} as never)
    expect([existsSync(kept), existsSync(orphan)]).toEqual([true, false])
    // A project that has lost its repository still has its wiki.
    const own = kept.replace('.wiki.git', '.git')
    await rename(own, `${own}.lost`)
    await utimes(kept, 0, 0)
    await sweepRepositoriesJob.run(server.app, {}, signal, {} as never)
    expect(existsSync(kept)).toBe(true)
  })

  it('survives a rename of its project, and is not copied to forks', async () => {
    await page('home')
    const { token } = server.root
    const body = { path: `renamed-${project.id}` }
    const moved = await server.inject('PUT', `/projects/${project.id}`, { token, body })
    expect(existsSync(join(await clone(remote(ann, moved.body)), 'home.md'))).toBe(true)
    const fork = await server.inject('POST', `/projects/${project.id}/fork`, { token: ann.token })
    expect(fork.status).toBe(201)
    expect((await wikis('', ann, fork.body)).body).toEqual([])
  })

  it('is packed by the housekeeping of the project', async () => {
    await page('home')
    const { token } = server.root
    await server.inject('POST', `/projects/${project.id}/housekeeping`, { token })
    await server.runJobs()
    expect(existsSync(join(await wikiPath(), 'packed-refs'))).toBe(true)
    expect((await wikis('home')).body.content).toBe('text')
  })

  it('is in the snapshot `wiki=true`', async () => {
    const { token } = server.root
    const get = () =>
      server.inject('GET', `/projects/${project.id}/snapshot`, { token, query: 'wiki=true' })
    expect((await get()).body).toEqual({ message: '404 Repository Not Found' })
    await page('home')
    const { status, bytes, headers } = await get()
    expect([status, headers['content-disposition']]).toEqual([
      200,
      `attachment; filename="${project.path}.wiki.tar"`,
    ])
    const folder = await mkdtemp(join(tmpdir(), 'wiki-snapshot-'))
    execFileSync('tar', ['-x', '-C', folder], { input: bytes })
    expect(await mustGit(folder, '--git-dir', folder, 'show', 'master:home.md')).toBe('text')
  })
})
