import { execFileSync } from 'node:child_process'
import { maxVersionCommits, mergeRequestHeadRef } from '@stithy/core'
import { updateRefs, zeroOid } from '@stithy/git'
import { findRepository, listVersionCommits } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryOf } from '../repositories/repository.service.ts'
import { git } from '../testing/git/git-client.ts'
import { buildWorkPlace, type WorkPlace } from '../testing/git/work-place.ts'
import { readRequest, readVersions, remoteHead } from '../testing/merge-requests.ts'
import { buildTestServer, type Json, type TestServer } from '../testing/test-server.ts'

let server: TestServer
let place: WorkPlace
let first: string
let request: { id: number; iid: number }

beforeAll(async () => {
  server = await buildTestServer()
  place = await buildWorkPlace(server)
  first = await place.commitTo('topic', { 'b.txt': 'b\n' }, 'First')
  await place.push('main', 'topic')
  request = await server.buildMergeRequest(place.project, 'topic', 'main')
})
afterAll(() => server.close())

async function repository() {
  const row = await findRepository(server.app.db, place.project.id)
  if (row === undefined) throw new Error('the project is gone')
  return repositoryOf(server.app, row)
}

describe('refs/merge-requests/<iid>/head', () => {
  it('can be fetched', async () => {
    const ref = mergeRequestHeadRef(request.iid)
    await place.git('fetch', '--quiet', place.remote, `${ref}:fetched`)
    expect(await place.git('rev-parse', 'fetched')).toBe(first)
  })

  it('cannot be pushed, moved or removed', async () => {
    const ref = mergeRequestHeadRef(request.iid)
    for (const spec of [`+main:${ref}`, `:${ref}`, 'main:refs/merge-requests/99/head']) {
      const { code, stderr } = await git(place.tree, 'push', place.remote, spec)
      expect([spec, code]).not.toEqual([spec, 0])
      expect(stderr).toMatch(/rejected|deny|remote ref does not exist|unable to delete/)
    }
    expect(await remoteHead(place, request.iid)).toBe(first)
    expect(await place.git('ls-remote', place.remote, 'refs/merge-requests/99/*')).toBe('')
  })

  it('shows among no branches and tags, and no old head shows at all', async () => {
    const { token } = server.root
    const names = async (kind: string) => {
      const path = `/projects/${place.project.id}/repository/${kind}`
      const { status, body } = await server.inject('GET', path, { token })
      expect(status).toBe(200)
      return body.map((entry: Json) => entry.name)
    }
    await place.commitTo('topic', { 'b.txt': 'c\n' }, 'Second')
    await place.push('topic')
    await server.runJobs()
    expect(await names('branches')).toEqual(['main', 'topic'])
    expect(await names('tags')).toEqual([])
    const refs = await place.git('ls-remote', place.remote)
    expect(refs).toContain(mergeRequestHeadRef(request.iid))
    expect(refs).not.toContain('keep-around')
  })

  it('keeps the heads of earlier versions from being cleaned up', async () => {
    await place.git('checkout', '--quiet', '-B', 'topic', 'main')
    await place.commitTo('topic', { 'z.txt': 'z\n' }, 'Instead')
    await place.push('topic')
    await server.runJobs()
    const { path } = await repository()
    const versions = await readVersions(server, request.id)
    expect(versions).toHaveLength(3)
    await place.git(`--git-dir=${path}`, 'gc', '--quiet', '--prune=now')
    for (const { headSha } of versions) {
      expect(await place.git(`--git-dir=${path}`, 'cat-file', '-t', headSha)).toBe('commit')
    }
  })
})

describe('a creation that was cut short', () => {
  it('is finished by its job: the head is published', async () => {
    const made = await server.buildMergeRequest(place.project, 'topic', 'main')
    const ref = mergeRequestHeadRef(made.iid)
    await updateRefs(server.app.git, await repository(), [{ ref, newOid: zeroOid }])
    expect(await remoteHead(place, made.iid)).toBe('')
    await server.runJobs()
    expect(await remoteHead(place, made.iid)).toBe((await readRequest(server, made.id)).headSha)
  })

  it('catches up with a push that did not see it', async () => {
    await place.commitTo('late', { 'l.txt': 'l\n' }, 'Late')
    await place.push('late')
    await server.runJobs()
    const made = await server.buildMergeRequest(place.project, 'late', 'main')
    // As if the push had been worked through before the request was written.
    const oid = await place.commitTo('late', { 'l.txt': 'm\n' }, 'Later')
    const bare = await repository()
    await place.git('push', bare.path, 'late')
    await server.runJobs()
    expect(await readRequest(server, made.id)).toMatchObject({ headSha: oid })
    expect(await remoteHead(place, made.iid)).toBe(oid)
  })
})

describe('a creation from branches that are not there', () => {
  it('is refused', async () => {
    const build = (source: string, target: string) =>
      server.buildMergeRequest(place.project, source, target)
    await expect(build('nothing', 'main')).rejects.toMatchObject({
      detail: { fields: { source_branch: ['does not exist'] } },
    })
    await expect(build('main', '--all')).rejects.toMatchObject({
      detail: { fields: { target_branch: ['does not exist'] } },
    })
  })
})

describe('a version of very many commits', () => {
  it('keeps the newest, and costs bounded time', async () => {
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
    const started = performance.now()
    const made = await server.buildMergeRequest(place.project, 'huge', 'main')
    expect(performance.now() - started).toBeLessThan(20_000)
    const { latestVersionId, headSha } = await readRequest(server, made.id)
    const commits = await listVersionCommits(server.app.db, latestVersionId)
    expect(commits).toHaveLength(maxVersionCommits)
    expect(commits[0]).toBe(headSha)
    expect(new Set(commits).size).toBe(maxVersionCommits)
  })
})
