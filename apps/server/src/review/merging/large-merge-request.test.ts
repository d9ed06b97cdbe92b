import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../testing/git/repository-fixture.ts'
import { mebibyte, memoryGrowth } from '../../testing/memory-growth.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: RepositoryFixture

const files = 3000
const line = `${'a line of a file that a merge request changes'.repeat(2)}\n`

/** Three thousand files in a hundred folders, of about 4 KiB each. */
function contents(last: string): Record<string, string> {
  const entries = Array.from({ length: files }, (_, index) => [
    `folder-${index % 100}/file-${index}.txt`,
    `${index}\n${line.repeat(40)}${last}\n`,
  ])
  return Object.fromEntries(entries)
}

beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildRepositoryFixture(server)
  const { commitTo, push } = fixture
  await commitTo('main', contents('before'), 'Add files')
  await commitTo('topic', contents('after'), 'Change all of them')
  await commitTo('main', { 'aside.txt': 'aside\n' }, 'Something else')
  await push('main', 'topic')
  await server.runJobs()
}, 120_000)
// Throws if a request or job kept others waiting.
afterAll(() => server.close())

async function call(method: string, path: string, body?: object): Promise<Json> {
  const { token } = server.root
  const at = `/projects/${fixture.project.id}/merge_requests${path}`
  const answer = await server.inject(method, at, { token, ...(body ? { body } : {}) })
  expect(answer.status, `${method} ${path}: ${answer.text.slice(0, 300)}`).toBeLessThan(300)
  return answer.body
}

describe('a merge request of 3,000 changed files', () => {
  it('is opened, compared, rebased and merged without much memory', async () => {
    const growth = await memoryGrowth(server, async () => {
      const branches = { source_branch: 'topic', target_branch: 'main' }
      const { iid } = await call('POST', '', { ...branches, title: 'Large' })
      await server.runJobs()
      const { changes, changes_count: count, overflow } = await call('GET', `/${iid}/changes`)
      expect({ files: changes.length, count, overflow }).toEqual({
        files: 1000,
        count: '1000+',
        overflow: true,
      })
      await call('PUT', `/${iid}/rebase`)
      await server.runJobs()
      const rebased = await call('GET', `/${iid}`)
      expect(rebased).toMatchObject({ merge_error: null, merge_status: 'can_be_merged' })
      expect(await call('PUT', `/${iid}/merge`, { sha: rebased.sha })).toMatchObject({
        state: 'merged',
      })
      await server.runJobs()
    })
    expect(growth).toBeLessThan(64 * mebibyte)
    const { git, remote } = fixture
    await git('fetch', '--quiet', remote, 'refs/heads/main')
    const changed = await git('diff', '--name-only', 'main', 'FETCH_HEAD')
    expect(changed.split('\n')).toHaveLength(files)
  }, 120_000)

  it('takes as many git processes to be merged as one of a single file', async () => {
    const spawned = async (files: Record<string, string>, branch: string) => {
      const { commitTo, push, git, remote } = fixture
      await git('fetch', '--quiet', remote, '+refs/heads/main:refs/remotes/latest')
      await git('checkout', '--quiet', '-B', 'main', 'refs/remotes/latest')
      await commitTo(branch, files, 'Change')
      await push(branch)
      await server.runJobs()
      const request = { source_branch: branch, target_branch: 'main', title: 'Change' }
      const { iid } = await call('POST', '', request)
      await server.runJobs()
      await call('GET', `/${iid}`)
      const before = server.app.git.spawnCount
      expect(await call('PUT', `/${iid}/merge`, {})).toMatchObject({ state: 'merged' })
      const count = server.app.git.spawnCount - before
      await server.runJobs()
      return count
    }
    const ofOne = await spawned({ 'one.txt': 'one\n' }, 'one')
    const ofAll = await spawned(contents('last'), 'all')
    expect(ofAll).toBeLessThanOrEqual(ofOne)
  }, 120_000)
})
