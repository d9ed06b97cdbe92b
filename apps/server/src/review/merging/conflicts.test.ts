import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../testing/git/repository-fixture.ts'
import { buildTestServer, type InjectedAnswer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

/** Changes the work tree or the index. */
type Edit = (fixture: RepositoryFixture) => Promise<unknown>

/** A file with this content; without one, the file is removed. */
const file =
  (path: string, content?: string | Uint8Array): Edit =>
  async ({ tree, git }) => {
    const full = join(tree, path)
    if (content === undefined) await rm(full)
    else {
      await mkdir(dirname(full), { recursive: true })
      await writeFile(full, content)
    }
    await git('add', '--all', '--', path)
  }

const renamed =
  (from: string, to: string): Edit =>
  ({ git }) =>
    git('mv', from, to)

/** A submodule at some commit. */
const submodule =
  (digit: string): Edit =>
  ({ git }) =>
    git('update-index', '--add', '--cacheinfo', `160000,${digit.repeat(40)},module`)

const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n`).join('')

interface Case {
  /** What both branches start from. */
  base?: Edit
  topic: Edit
  main: Edit
  /** The files of the merge; undefined for a conflict. */
  merged?: readonly string[]
}

const cases: Record<string, Case> = {
  'the same lines changed': {
    base: file('a.txt', 'a\n'),
    topic: file('a.txt', 'b\n'),
    main: file('a.txt', 'c\n'),
  },
  'the same binary file changed': {
    base: file('a.bin', Buffer.from([0, 1, 2])),
    topic: file('a.bin', Buffer.from([0, 1, 3])),
    main: file('a.bin', Buffer.from([0, 1, 4])),
  },
  'a submodule moved to different commits': {
    base: submodule('1'),
    topic: submodule('2'),
    main: submodule('3'),
  },
  'a file changed and deleted': {
    base: file('a.txt', 'a\n'),
    topic: file('a.txt', 'b\n'),
    main: file('a.txt'),
  },
  'a file renamed and deleted': {
    base: file('a.txt', lines),
    topic: renamed('a.txt', 'b.txt'),
    main: file('a.txt'),
  },
  'a file renamed to different names': {
    base: file('a.txt', lines),
    topic: renamed('a.txt', 'b.txt'),
    main: renamed('a.txt', 'c.txt'),
  },
  'a file where the other has a folder': {
    topic: file('a', 'a\n'),
    main: file('a/b', 'b\n'),
  },
  'the same new file with other contents': {
    topic: file('a.txt', 'a\n'),
    main: file('a.txt', 'b\n'),
  },
  'files whose names differ in case only': {
    topic: file('notes.txt', 'a\n'),
    main: file('NOTES.txt', 'b\n'),
    merged: ['NOTES.txt', 'README.md', 'notes.txt'],
  },
  'a file renamed and changed': {
    base: file('a.txt', lines),
    topic: renamed('a.txt', 'b.txt'),
    main: file('a.txt', `first\n${lines}`),
    merged: ['README.md', 'b.txt'],
  },
  'the same change twice': {
    base: file('a.txt', 'a\n'),
    topic: file('a.txt', 'b\n'),
    main: file('a.txt', 'b\n'),
    merged: ['README.md', 'a.txt'],
  },
}

type Call = (method: string, path: string, body?: object) => Promise<InjectedAnswer>

/** Opens a merge request from `topic` into `main`, as it is before any job has run. */
async function open(fixture: RepositoryFixture): Promise<{ answer: InjectedAnswer; call: Call }> {
  await fixture.push('main', 'topic')
  const { token } = server.root
  const path = `/projects/${fixture.project.id}/merge_requests`
  const body = { source_branch: 'topic', target_branch: 'main', title: 'Change' }
  const answer = await server.inject('POST', path, { token, body })
  return {
    answer,
    call: (method, part, fields) =>
      server.inject(method, `${path}/${answer.body.iid}${part}`, {
        token,
        ...(fields === undefined ? {} : { body: fields }),
      }),
  }
}

async function build({ base, topic, main }: Case) {
  const fixture = await buildRepositoryFixture(server)
  const change = async (edit: Edit, message: string) => {
    await edit(fixture)
    await fixture.git('commit', '--quiet', '--message', message)
  }
  if (base !== undefined) await change(base, 'Base')
  await fixture.git('checkout', '--quiet', '-b', 'topic')
  await change(topic, 'Topic')
  await fixture.git('checkout', '--quiet', '--force', 'main')
  await change(main, 'Main')
  return { fixture, ...(await open(fixture)) }
}

const mergeError = 'Rebase failed. Please rebase locally'

/** Rebases, and returns the `merge_error` that this leaves. */
async function rebase(call: Call): Promise<string | null> {
  expect((await call('PUT', '/rebase', {})).status).toBe(202)
  await server.runJobs()
  const { body } = await call('GET', '?include_rebase_in_progress=true')
  expect(body.rebase_in_progress).toBe(false)
  return body.merge_error
}

async function filesOf(fixture: RepositoryFixture, ref: string): Promise<string[]> {
  await fixture.git('fetch', '--quiet', fixture.remote, ref)
  return (await fixture.git('ls-tree', '-r', '--name-only', 'FETCH_HEAD')).split('\n')
}

describe.each(Object.entries(cases))('a merge request with %s', (_, branches) => {
  const { merged } = branches

  it.runIf(merged === undefined)('conflicts in every call', async () => {
    const { fixture, answer, call } = await build(branches)
    expect([answer.status, answer.body.merge_status]).toEqual([201, 'cannot_be_merged'])
    const before = await fixture.git('ls-remote', fixture.remote)
    const ref = await call('GET', '/merge_ref')
    expect([ref.status, ref.body]).toEqual([400, { message: 'Merge request is not mergeable' }])
    const refused = await call('PUT', '/merge', {})
    expect([refused.status, refused.body]).toEqual([405, { message: '405 Method Not Allowed' }])
    expect(refused.headers.allow).toBe('PUT')
    expect(await rebase(call)).toBe(mergeError)
    expect(await fixture.git('ls-remote', fixture.remote)).toBe(before)
    expect((await call('GET', '')).body.state).toBe('opened')
  })

  it.runIf(merged !== undefined)('merges and rebases', async () => {
    const { fixture, answer, call } = await build(branches)
    expect([answer.status, answer.body.merge_status]).toEqual([201, 'can_be_merged'])
    const ref = await call('GET', '/merge_ref')
    expect(ref.status).toBe(200)
    expect(await filesOf(fixture, 'refs/merge-requests/1/merge')).toEqual(merged)
    const accepted = await call('PUT', '/merge', {})
    expect([accepted.status, accepted.body.state]).toEqual([200, 'merged'])
    expect(await filesOf(fixture, 'refs/heads/main')).toEqual(merged)
    const other = await build(branches)
    expect(await rebase(other.call)).toBeNull()
    expect(await filesOf(other.fixture, 'refs/heads/topic')).toEqual(merged)
  })
})

describe('a merge request', () => {
  it('between histories without a common base conflicts until it is rebased', async () => {
    const fixture = await buildRepositoryFixture(server)
    await fixture.git('checkout', '--quiet', '--orphan', 'topic')
    await fixture.git('mv', 'README.md', 'alone.md')
    await fixture.git('commit', '--quiet', '--message', 'Alone')
    const { answer, call } = await open(fixture)
    expect(answer.body).toMatchObject({
      merge_status: 'cannot_be_merged',
      diff_refs: { base_sha: null },
    })
    expect((await call('GET', '/merge_ref')).status).toBe(400)
    expect((await call('PUT', '/merge', {})).status).toBe(405)
    expect(await rebase(call)).toBeNull()
    expect(await filesOf(fixture, 'refs/heads/topic')).toEqual(['README.md', 'alone.md'])
    expect((await call('PUT', '/merge', {})).body.state).toBe('merged')
  })

  it('without commits cannot be merged, and rebasing it changes nothing', async () => {
    const fixture = await buildRepositoryFixture(server)
    await fixture.git('branch', 'topic')
    const { answer, call } = await open(fixture)
    expect(answer.body).toMatchObject({ merge_status: 'cannot_be_merged', changes_count: '0' })
    expect((await call('GET', '/merge_ref')).status).toBe(400)
    expect((await call('PUT', '/merge', {})).status).toBe(405)
    expect(await rebase(call)).toBeNull()
  })

  it('whose commits change nothing in the end can be merged', async () => {
    const fixture = await buildRepositoryFixture(server)
    await fixture.commitTo('topic', { 'a.txt': 'a\n' }, 'Add')
    await fixture.git('revert', '--no-edit', 'HEAD')
    const { answer, call } = await open(fixture)
    expect(answer.body).toMatchObject({ merge_status: 'can_be_merged', changes_count: '0' })
    expect((await call('GET', '/changes')).body.changes).toEqual([])
    expect((await call('GET', '/merge_ref')).status).toBe(200)
    expect((await call('PUT', '/merge', {})).body.state).toBe('merged')
  })

  it('whose target branch was deleted conflicts in every call', async () => {
    const fixture = await buildRepositoryFixture(server)
    await fixture.commitTo('topic', { 'a.txt': 'a\n' }, 'Add')
    await fixture.push('main')
    await fixture.push('main:other')
    const { call } = await open(fixture)
    expect((await call('PUT', '', { target_branch: 'other' })).status).toBe(200)
    await fixture.push(':other')
    await server.runJobs()
    const { body } = await call('GET', '')
    expect(body).toMatchObject({ state: 'opened', merge_status: 'cannot_be_merged' })
    expect((await call('GET', '/merge_ref')).status).toBe(400)
    expect((await call('PUT', '/merge', {})).status).toBe(405)
    expect(await rebase(call)).toBe(mergeError)
  })
})
