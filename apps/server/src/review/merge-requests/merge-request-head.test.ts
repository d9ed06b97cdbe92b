import { execFileSync } from 'node:child_process'
import { maxVersionCommits, mergeRequestHeadRef } from '@stithy/core'
import { updateRefs, zeroOid } from '@stithy/git'
import { findRepository, listVersionCommits } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { git } from '../../testing/git/git-client.ts'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../testing/git/repository-fixture.ts'
import { readRequest, readVersions, remoteHead } from '../../testing/merge-requests.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: RepositoryFixture
let first: string
let request: { id: number; iid: number }

beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildRepositoryFixture(server)
  first = await fixture.commitTo('topic', { 'b.txt': 'b\n' }, 'First')
  await fixture.push('main', 'topic')
  request = await server.buildMergeRequest(fixture.project, 'topic', 'main')
})
afterAll(() => server.close())

async function repository() {
  const row = await findRepository(server.app.db, fixture.project.id)
  if (row === undefined) throw new Error('the project is gone')
  return repositoryOf(server.app, row)
}

describe('refs/merge-requests/<iid>/head', () => {
  it('can be fetched', async () => {
    const ref = mergeRequestHeadRef(request.iid)
    await fixture.git('fetch', '--quiet', fixture.remote, `${ref}:fetched`)
    expect(await fixture.git('rev-parse', 'fetched')).toBe(first)
  })

  it('cannot be pushed, moved or deleted', async () => {
    const ref = mergeRequestHeadRef(request.iid)
    for (const spec of [`+main:${ref}`, `:${ref}`, 'main:refs/merge-requests/99/head']) {
      const { code, stderr } = await git(fixture.tree, 'push', fixture.remote, spec)
      expect([spec, code]).not.toEqual([spec, 0])
      expect(stderr).toMatch(/rejected|deny|remote ref does not exist|unable to delete/)
    }
    expect(await remoteHead(fixture, request.iid)).toBe(first)
    expect(await fixture.git('ls-remote', fixture.remote, 'refs/merge-requests/99/*')).toBe('')
  })

  it('is not listed among branches and tags, and old heads are not listed at all', async () => {
    const { token } = server.root
    const names = async (kind: string) => {
      const path = `/projects/${fixture.project.id}/repository/${kind}`
      const { status, body } = await server.inject('GET', path, { token })
      expect(status).toBe(200)
      return body.map((entry: Json) => entry.name)
    }
    await fixture.commitTo('topic', { 'b.txt': 'c\n' }, 'Second')
    await fixture.push('topic')
    await server.runJobs()
    expect(await names('branches')).toEqual(['main', 'topic'])
    expect(await names('tags')).toEqual([])
    const refs = await fixture.git('ls-remote', fixture.remote)
    expect(refs).toContain(mergeRequestHeadRef(request.iid))
    expect(refs).not.toContain('keep-around')
  })

  it('protects the heads of earlier versions from garbage collection', async () => {
    await fixture.git('checkout', '--quiet', '-B', 'topic', 'main')
    await fixture.commitTo('topic', { 'z.txt': 'z\n' }, 'Instead')
    await fixture.push('topic')
    await server.runJobs()
    const { path } = await repository()
    const versions = await readVersions(server, request.id)
    expect(versions).toHaveLength(3)
    await fixture.git(`--git-dir=${path}`, 'gc', '--quiet', '--prune=now')
    for (const { headSha } of versions) {
      expect(await fixture.git(`--git-dir=${path}`, 'cat-file', '-t', headSha)).toBe('commit')
    }
  })
})

describe('an interrupted creation', () => {
  it('is completed by its job, which publishes the head', async () => {
    await fixture.push('main:stable')
    const made = await server.buildMergeRequest(fixture.project, 'topic', 'stable')
    const ref = mergeRequestHeadRef(made.iid)
    await updateRefs(server.app.git, await repository(), [{ ref, newOid: zeroOid }])
    expect(await remoteHead(fixture, made.iid)).toBe('')
    await server.runJobs()
    expect(await remoteHead(fixture, made.iid)).toBe((await readRequest(server, made.id)).headSha)
  })

  it('processes a push that missed it', async () => {
    await fixture.commitTo('late', { 'l.txt': 'l\n' }, 'Late')
    await fixture.push('late')
    await server.runJobs()
    const made = await server.buildMergeRequest(fixture.project, 'late', 'main')
    // As if the push had been processed before the merge request was written.
    const oid = await fixture.commitTo('late', { 'l.txt': 'm\n' }, 'Later')
    const bare = await repository()
    await fixture.git('push', bare.path, 'late')
    await server.runJobs()
    expect(await readRequest(server, made.id)).toMatchObject({ headSha: oid })
    expect(await remoteHead(fixture, made.iid)).toBe(oid)
  })
})

describe('a creation from branches that do not exist', () => {
  it('is refused', async () => {
    const build = (source: string, target: string) =>
      server.buildMergeRequest(fixture.project, source, target)
    await expect(build('nothing', 'main')).rejects.toMatchObject({
      detail: { fields: { source_branch: ['does not exist'] } },
    })
    await expect(build('main', '--all')).rejects.toMatchObject({
      detail: { fields: { target_branch: ['does not exist'] } },
    })
  })
})

describe('a version of very many commits', () => {
  it('keeps the newest commits, in bounded time', async () => {
    const count = maxVersionCommits + 500
    const lines = Array.from({ length: count }, (_, index) =>
      [
        'commit refs/heads/huge',
        `committer Ada <ada@example.com> ${1_600_000_000 + index} +0000`,
        'data 1',
        'x',
        index === 0 ? 'from refs/heads/main\n' : '',
      ].join('\n'),
    )
    const { path } = await repository()
    execFileSync('git', ['--git-dir', path, 'fast-import', '--quiet'], { input: lines.join('\n') })
    const started = process.cpuUsage()
    const made = await server.buildMergeRequest(fixture.project, 'huge', 'main')
    const { user, system } = process.cpuUsage(started)
    expect((user + system) / 1000).toBeLessThan(20_000)
    const { latestVersionId, headSha } = await readRequest(server, made.id)
    const commits = await listVersionCommits(server.app.db, latestVersionId)
    expect(commits).toHaveLength(maxVersionCommits)
    expect(commits[0]).toBe(headSha)
    expect(new Set(commits).size).toBe(maxVersionCommits)
  })
})
