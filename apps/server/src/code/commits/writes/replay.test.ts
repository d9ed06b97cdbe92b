import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type CommitFields,
  type CommitHelpers,
  commitHelpers,
  create,
} from '../../../testing/clients/commit-helpers.ts'
import { mustGit } from '../../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let project: Json
let commits: CommitHelpers

beforeAll(async () => {
  server = await buildTestServer()
  commits = commitHelpers(server)
})
beforeEach(async () => {
  project = await server.buildProject()
  await must([create('a', '1\n2\n3\n4\n5\n6\n7\n8\n')])
})
afterAll(() => server.close())

const must = (actions: unknown, fields?: CommitFields) => commits.must(project.id, actions, fields)
const update = (file_path: string, content: string) => [{ action: 'update', file_path, content }]

async function replay(
  kind: 'cherry_pick' | 'revert',
  sha: string,
  branch: unknown = 'main',
  token = server.root.token,
) {
  const path = `/projects/${project.id}/repository/commits/${encodeURIComponent(sha)}/${kind}`
  return server.inject('POST', path, { token, body: branch === null ? {} : { branch } })
}

/** A branch `topic` whose commit changes the first line and adds a file. */
async function buildTopic(token = server.root.token): Promise<Json> {
  const actions = [...update('a', 'one\n2\n3\n4\n5\n6\n7\n8\n'), create('new')]
  const fields = {
    branch: 'topic',
    start_branch: 'main',
    commit_message: 'Say one\n\nBody\n',
    token,
  }
  return must(actions, fields)
}

describe('POST /projects/:id/repository/commits/:sha/cherry_pick', () => {
  it('applies the change on the branch; the author stays and the caller is committer', async () => {
    const ada = await server.buildUser({ name: 'Ada' })
    await server.addMember(`projects/${project.id}`, ada.id, 30)
    const topic = await buildTopic(ada.token)
    server.advance(5000)
    const head = await must(update('a', '1\n2\n3\n4\n5\n6\n7\neight\n'))
    const { status, body } = await replay('cherry_pick', topic.id)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      parent_ids: [head.id],
      title: 'Say one',
      message: `Say one\n\nBody\n\n(cherry picked from commit ${topic.id})`,
      author_name: 'Ada',
      author_email: ada.email,
      authored_date: topic.authored_date,
      committer_name: head.committer_name,
      stats: { additions: 2, deletions: 1, total: 3 },
      status: null,
      last_pipeline: null,
      project_id: project.id,
    })
    expect(body.committed_date > topic.committed_date).toBe(true)
    expect(await commits.files(project.id)).toEqual({
      a: '100644 one\n2\n3\n4\n5\n6\n7\neight\n',
      new: '100644 x',
    })
    expect((await commits.tips(project.id)).main).toBe(body.id)
  })

  it('accepts a short hash, a branch and a tag for sha', async () => {
    const topic = await buildTopic()
    expect((await replay('cherry_pick', 'topic')).status).toBe(201)
    expect((await replay('revert', 'main')).status).toBe(201)
    expect((await replay('cherry_pick', topic.short_id)).status).toBe(201)
  })

  it('returns 400 when the change conflicts or is present already, and writes nothing', async () => {
    const topic = await buildTopic()
    expect((await replay('cherry_pick', topic.id)).status).toBe(201)
    const { main } = await commits.tips(project.id)
    for (const again of [
      await replay('cherry_pick', topic.id),
      await replay('cherry_pick', topic.id, 'topic'),
    ]) {
      expect(again.status).toBe(400)
      expect(again.body.message).toBe(
        'This commit cannot be picked automatically: it may already have been picked, or a newer commit changed the same content.',
      )
    }
    const other = await must(update('a', 'uno\n2\n3\n4\n5\n6\n7\n8\n'), {
      branch: 'other',
      start_branch: 'main',
    })
    await must(update('a', 'eins\n2\n3\n4\n5\n6\n7\n8\n'), { branch: 'topic' })
    const { topic: tip } = await commits.tips(project.id)
    const conflict = await replay('cherry_pick', other.id, 'topic')
    expect([conflict.status, Object.keys(conflict.body)]).toEqual([400, ['message']])
    expect(await commits.tips(project.id)).toEqual({ main, other: other.id, topic: tip })
  })
})

describe('POST /projects/:id/repository/commits/:sha/revert', () => {
  it('reverts the change; the caller is author and committer', async () => {
    const ada = await server.buildUser({ name: 'Ada' })
    await server.addMember(`projects/${project.id}`, ada.id, 40)
    const wrong = await must(update('a', 'wrong\n2\n3\n4\n5\n6\n7\n8\n'), {
      commit_message: 'Go "wrong"\n\nWhy not',
    })
    const head = await must(update('a', 'wrong\n2\n3\n4\n5\n6\n7\nlater\n'))
    const { status, body } = await replay('revert', wrong.id, 'main', ada.token)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      parent_ids: [head.id],
      message: `Revert "Go "wrong""\n\nThis reverts commit ${wrong.id}`,
      author_name: 'Ada',
      committer_name: 'Ada',
      stats: { additions: 1, deletions: 1, total: 2 },
      project_id: project.id,
    })
    expect((await commits.files(project.id)).a).toBe('100644 1\n2\n3\n4\n5\n6\n7\nlater\n')
    const again = await replay('revert', wrong.id)
    expect([again.status, again.body.message]).toEqual([
      400,
      'This commit cannot be reverted automatically: it may already have been reverted, or a newer commit changed the same content.',
    ])
  })

  it('reverts the root commit', async () => {
    const { main = '' } = await commits.tips(project.id)
    expect((await replay('revert', main)).status).toBe(201)
    expect(await commits.files(project.id)).toEqual({})
  })

  it('reverts and picks a merge commit relative to its first parent', async () => {
    const topic = await buildTopic()
    const head = await must([create('other')])
    const path = `${server.app.config.repositoryStorages.default}/${await repositoryPath()}`
    const tree = await mustGit(path, 'merge-tree', '--write-tree', head.id, topic.id)
    const merge = await mustGit(
      path,
      'commit-tree',
      '-m',
      'Merge',
      '-p',
      head.id,
      '-p',
      topic.id,
      tree,
    )
    await mustGit(path, 'update-ref', 'refs/heads/main', merge)
    await must([create('later')])
    const { status, body } = await replay('revert', merge)
    expect([status, body.message]).toEqual([201, `Revert "Merge"\n\nThis reverts commit ${merge}`])
    expect(Object.keys(await commits.files(project.id))).toEqual(['a', 'later', 'other'])
    expect((await replay('cherry_pick', merge)).status).toBe(201)
    expect(Object.keys(await commits.files(project.id))).toEqual(['a', 'later', 'new', 'other'])
  })
})

async function repositoryPath(): Promise<string> {
  const row = await server.app.db.first('test.path', { id: project.id }, (db, $) =>
    db.selectFrom('projects').select('repositoryPath').where('id', '=', $('id')),
  )
  return row?.repositoryPath ?? ''
}

describe.each(['cherry_pick', 'revert'] as const)('%s', (kind) => {
  it('returns 404 for an unknown commit or branch', async () => {
    const { main = '' } = await commits.tips(project.id)
    for (const sha of ['none', '-x', 'a'.repeat(40), 'a..b']) {
      const { status, body } = await replay(kind, sha)
      expect([status, body.message]).toEqual([404, '404 Commit Not Found'])
    }
    for (const branch of ['none', '-x', 'a..b', 'refs/heads/main', main]) {
      const { status, body } = await replay(kind, main, branch)
      expect([status, body.message]).toEqual([404, '404 Branch Not Found'])
    }
  })

  it('returns 400 without a branch', async () => {
    for (const [branch, error] of [
      [null, 'branch is missing'],
      ['', 'branch is empty'],
      [['x'], 'branch is invalid'],
    ]) {
      const { status, body } = await replay(kind, 'main', branch)
      expect([status, body]).toEqual([400, { error }])
    }
  })

  it('returns 403 when the branch may not be pushed to', async () => {
    const topic = await buildTopic()
    const developer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, developer.id, 30)
    const { status, body } = await replay(kind, topic.id, 'main', developer.token)
    expect([status, body.message]).toEqual([403, expect.stringMatching(/^403 Forbidden - .+/)])
    const reporter = await server.buildUser()
    await server.addMember(`projects/${project.id}`, reporter.id, 20)
    expect((await replay(kind, topic.id, 'topic', reporter.token)).status).toBe(403)
    expect((await replay(kind, topic.id, 'topic', (await server.buildUser()).token)).status).toBe(
      404,
    )
  })
})
