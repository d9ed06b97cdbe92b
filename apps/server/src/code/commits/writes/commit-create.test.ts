import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type CommitFields,
  type CommitHelpers,
  commitHelpers,
  create,
} from '../../../testing/clients/commit-helpers.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let project: Json
let commits: CommitHelpers

beforeAll(async () => {
  server = await buildTestServer()
  commits = commitHelpers(server)
})
beforeEach(async () => {
  project = await server.buildProject({ visibility: 'public' })
})
afterAll(() => server.close())

const send = (actions: unknown, fields?: CommitFields) => commits.send(project.id, actions, fields)
const must = (actions: unknown, fields?: CommitFields) => commits.must(project.id, actions, fields)
const files = (ref?: string) => commits.files(project.id, ref)
const tips = () => commits.tips(project.id)

describe('POST /projects/:id/repository/commits', () => {
  it('creates, updates, moves, deletes and changes modes in one commit', async () => {
    await must([
      create('keep', 'k'),
      create('old/name', 'o'),
      create('gone', 'g'),
      create('a', '1'),
    ])
    await must([
      { action: 'update', file_path: 'a', content: 'zwei\nü' },
      { action: 'move', file_path: 'new/name', previous_path: 'old/name' },
      { action: 'delete', file_path: 'gone' },
      { action: 'chmod', file_path: 'keep', execute_filemode: true },
      create('deep/er/file', Buffer.from([0, 255, 10]).toString('base64'), { encoding: 'base64' }),
    ])
    const { body } = await server.inject(
      'GET',
      `/projects/${project.id}/repository/files/deep%2Fer%2Ffile`,
      {
        query: 'ref=main',
      },
    )
    expect(Buffer.from(body.content, 'base64')).toEqual(Buffer.from([0, 255, 10]))
    expect(await files()).toMatchObject({
      a: '100644 zwei\nü',
      'new/name': '100644 o',
      keep: '100755 k',
    })
    expect(Object.keys(await files())).toEqual(['a', 'deep/er/file', 'keep', 'new/name'])
  })

  it('returns the commit, its stats and its project_id', async () => {
    const first = await must([create('a', '1\n2\n')])
    const commit = await must([{ action: 'update', file_path: 'a', content: '1\n' }], {
      commit_message: 'Shorten\n\nIt was too long.',
    })
    expect(commit).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{40}$/),
      short_id: commit.id.slice(0, 8),
      title: 'Shorten',
      message: 'Shorten\n\nIt was too long.',
      parent_ids: [first.id],
      author_name: 'Administrator',
      committer_email: commit.author_email,
      stats: { additions: 0, deletions: 1, total: 1 },
      status: null,
      last_pipeline: null,
      project_id: project.id,
    })
    expect((await tips()).main).toBe(commit.id)
    const bare = await must([create('b')], { stats: false })
    expect(bare).not.toHaveProperty('stats')
  })

  it('uses the caller as committer, and as author unless one is sent', async () => {
    const user = await server.buildUser({ name: 'Ada <L>' })
    await server.addMember(`projects/${project.id}`, user.id, 30)
    await must([create('a')])
    const branch = { branch: 'topic', token: user.token }
    const blank = { author_name: '', author_email: '', start_branch: 'main' }
    const own = await must([create('b')], { ...branch, ...blank })
    expect(own).toMatchObject({ author_name: 'Ada L', author_email: user.email })
    const named = await must([create('c')], {
      ...branch,
      author_name: 'Grace',
      author_email: 'grace@example.org',
    })
    expect(named).toMatchObject({
      author_name: 'Grace',
      author_email: 'grace@example.org',
      committer_name: 'Ada L',
      committer_email: user.email,
    })
  })

  it('creates the first branch of an empty repository, which becomes the default branch', async () => {
    await must([create('README.md')], { branch: 'trunk' })
    const { body } = await server.inject('GET', `/projects/${project.id}`)
    expect(body).toMatchObject({ default_branch: 'trunk' })
    expect((await send([create('x')], { branch: 'other' })).status).toBe(400)
    expect(Object.keys(await tips())).toEqual(['trunk'])
  })

  it('creates an empty commit without actions', async () => {
    const first = await must([create('a')])
    const empty = await must([])
    expect(empty).toMatchObject({ parent_ids: [first.id], stats: { total: 0 } })
    expect(await files()).toEqual({ a: '100644 x' })
  })

  it('starts a branch at start_branch, and returns 400 if the branch exists', async () => {
    const first = await must([create('a')])
    const topic = await must([create('b')], { branch: 'topic/x', start_branch: 'main' })
    expect(topic.parent_ids).toEqual([first.id])
    expect(await tips()).toEqual({ main: first.id, 'topic/x': topic.id })
    for (const fields of [
      { branch: 'topic/x', start_branch: 'main' },
      { branch: 'new', start_branch: 'none' },
      { branch: 'new', start_branch: first.id },
      { branch: 'topic', start_branch: 'main' },
      { branch: 'topic/x/y', start_branch: 'main' },
      { branch: 'a..b', start_branch: 'main' },
      { branch: '-x', start_branch: 'main' },
      { branch: 'none' },
    ]) {
      const { status, body } = await send([create('c')], fields)
      expect([status, typeof body.message]).toEqual([400, 'string'])
    }
    expect(await tips()).toEqual({ main: first.id, 'topic/x': topic.id })
    const same = await must([create('d')], { branch: 'topic/x', start_branch: 'topic/x' })
    expect(same.parent_ids).toEqual([topic.id])
  })

  it('overwrites a branch with force', async () => {
    const first = await must([create('a')])
    await must([create('b')], { branch: 'topic', start_branch: 'main' })
    const forced = await must([create('c')], { branch: 'topic', start_branch: 'main', force: true })
    expect(forced.parent_ids).toEqual([first.id])
    expect((await tips()).topic).toBe(forced.id)
    expect(Object.keys(await files('topic'))).toEqual(['a', 'c'])
    const onto = await must([create('d')], { branch: 'topic', force: true })
    expect(onto.parent_ids).toEqual([forced.id])
    const made = await must([create('e')], { branch: 'made', start_branch: 'topic', force: true })
    expect(made.parent_ids).toEqual([onto.id])
  })

  it('keeps the content in a move without one, and overwrites it with any other value', async () => {
    await must([create('a', 'kept'), create('b', 'b'), create('c', 'c')])
    await must([
      { action: 'move', file_path: 'a2', previous_path: 'a' },
      { action: 'move', file_path: 'b2', previous_path: 'b', content: '' },
      { action: 'move', file_path: 'c2', previous_path: 'c', content: 'new' },
    ])
    expect(await files()).toEqual({ a2: '100644 kept', b2: '100644 ', c2: '100644 new' })
    await must([{ action: 'move', file_path: 'a3', previous_path: 'a2', content: null }])
    expect((await files()).a3).toBe('100644 kept')
  })

  it('applies the actions in their order', async () => {
    await must([create('a', '1'), { action: 'update', file_path: 'a', content: '2' }])
    await must([
      { action: 'delete', file_path: 'a' },
      create('a/b', 'below'),
      { action: 'move', file_path: 'a2', previous_path: 'a/b' },
      create('a', 'again'),
    ])
    expect(await files()).toEqual({ a: '100644 again', a2: '100644 below' })
  })

  it('keeps the mode of an updated file, and changes it by chmod', async () => {
    await must([create('run'), { action: 'chmod', file_path: 'run', execute_filemode: 'true' }])
    await must([{ action: 'update', file_path: 'run', content: 'y' }])
    expect(await files()).toEqual({ run: '100755 y' })
    await must([{ action: 'chmod', file_path: 'run', execute_filemode: false }])
    expect(await files()).toEqual({ run: '100644 y' })
  })

  it('respects last_commit_id in update, move and delete', async () => {
    const first = await must([create('a'), create('b')])
    const second = await must([{ action: 'update', file_path: 'b', content: 'y' }])
    const about = (action: string, file_path: string, last_commit_id: string) => ({
      action,
      file_path: action === 'move' ? `${file_path}2` : file_path,
      ...(action === 'move' ? { previous_path: file_path } : {}),
      ...(action === 'update' ? { content: 'z' } : {}),
      last_commit_id,
    })
    for (const action of ['update', 'move', 'delete']) {
      const stale = await send([create('c'), about(action, 'b', first.id)])
      expect([stale.status, stale.body.message]).toEqual([400, expect.stringContaining('newer')])
      for (const lock of ['nonsense', '-x', second.id.slice(0, 12)]) {
        expect((await send([about(action, 'b', lock)])).status).toBe(400)
      }
    }
    expect((await tips()).main).toBe(second.id)
    await must([about('update', 'b', second.id), { ...create('c'), last_commit_id: 'counts not' }])
    await must([about('move', 'a', first.id)])
    await must([{ ...about('delete', 'a2', ''), last_commit_id: '' }])
  })
})
