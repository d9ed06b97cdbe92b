import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../testing/git/repository-fixture.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let repository: RepositoryFixture
let topic: { id: number; iid: number; first: string; second: string }

beforeAll(async () => {
  server = await buildTestServer()
  repository = await buildRepositoryFixture(server, { visibility: 'public' })
  const first = await repository.commitTo('topic', { 'b.txt': 'b\n' }, 'First')
  const second = await repository.commitTo('topic', { 'b.txt': 'c\n' }, 'Second')
  await repository.push('main', 'topic')
  const made = await server.buildMergeRequest(repository.project, 'topic', 'main', {
    title: 'Draw a line',
    description: 'Tasks:\n- [x] one\n- [ ] two\n```\n- [ ] code\n```',
  })
  topic = { ...made, first, second }
})
afterAll(() => server.close())

let copies = 0

/** Another branch to merge into; returns its name. */
async function copyMain({ git, push }: RepositoryFixture): Promise<string> {
  copies += 1
  const branch = `main-${copies}`
  await git('branch', branch, 'main')
  await push(branch)
  return branch
}

const path = (sha: string, id: number | string = repository.project.id) =>
  `/projects/${id}/repository/commits/${sha}/merge_requests`

const get = (sha: string, { token }: { token?: string } = server.root, query = '') =>
  server.inject('GET', path(sha), { query, ...(token === undefined ? {} : { token }) })

const iids = async (sha: string, query = ''): Promise<number[]> => {
  const { status, body } = await get(sha, server.root, query)
  expect(status).toBe(200)
  return body.map((request: Json) => request.iid)
}

describe('GET /projects/:id/repository/commits/:sha/merge_requests', () => {
  it('shows merge requests of a commit', async () => {
    const { status, body, headers } = await get(topic.first)
    expect(status).toBe(200)
    expect(headers['x-total']).toBe('1')
    const { project } = repository
    expect(body).toEqual([
      {
        id: topic.id,
        iid: topic.iid,
        project_id: project.id,
        title: 'Draw a line',
        description: expect.stringContaining('Tasks:'),
        state: 'opened',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: body[0].created_at,
        merged_by: null,
        merged_at: null,
        closed_by: null,
        closed_at: null,
        subscribed: true,
        target_branch: 'main',
        source_branch: 'topic',
        user_notes_count: 0,
        upvotes: 0,
        downvotes: 0,
        author: expect.objectContaining({ id: 1, username: 'root', state: 'active' }),
        assignee: null,
        assignees: [],
        source_project_id: project.id,
        target_project_id: project.id,
        labels: [],
        work_in_progress: false,
        milestone: null,
        merge_when_pipeline_succeeds: false,
        merge_status: 'can_be_merged',
        sha: topic.second,
        merge_commit_sha: null,
        discussion_locked: null,
        should_remove_source_branch: null,
        force_remove_source_branch: false,
        allow_collaboration: false,
        allow_maintainer_to_push: false,
        reference: `!${topic.iid}`,
        web_url: `http://stithy.test/${project.path_with_namespace}/merge_requests/${topic.iid}`,
        time_stats: {
          time_estimate: 0,
          total_time_spent: 0,
          human_time_estimate: null,
          human_total_time_spent: null,
        },
        squash: false,
        task_completion_status: { count: 2, completed_count: 1 },
      },
    ])
  })

  it('finds a commit by full or short hash, and by branch name', async () => {
    expect(await iids(topic.second)).toEqual([topic.iid])
    expect(await iids(topic.second.slice(0, 10))).toEqual([topic.iid])
    expect(await iids('topic')).toEqual([topic.iid])
    expect(
      (
        await server.inject(
          'GET',
          path('topic', encodeURIComponent(repository.project.path_with_namespace)),
          { token: server.root.token },
        )
      ).status,
    ).toBe(200)
  })

  it('lists none for a commit that the target branch contained before', async () => {
    expect(await iids('main')).toEqual([])
  })

  it('lists the newest first, in pages, in any state', async () => {
    const sha = await repository.commitTo('shared', { 's.txt': 's\n' }, 'Shared')
    await repository.push('shared')
    const made: number[] = []
    for (let index = 0; index < 3; index += 1) {
      const target = await copyMain(repository)
      made.unshift((await server.buildMergeRequest(repository.project, 'shared', target)).iid)
    }
    expect(await iids(sha)).toEqual(made)
    const second = await get(sha, server.root, 'per_page=2&page=2')
    expect(second.body.map((request: Json) => request.iid)).toEqual(made.slice(2))
    expect(second.headers).toMatchObject({
      'x-total': '3',
      'x-total-pages': '2',
      'x-page': '2',
      'x-next-page': '',
      'x-prev-page': '1',
    })
    expect(await iids(sha, 'page=1000')).toEqual([])
    await repository.git('push', repository.remote, ':shared')
    await server.runJobs()
    const { body } = await get(sha)
    expect(body.map((request: Json) => request.state)).toEqual(['closed', 'closed', 'closed'])
  })

  it('shows assignees in their order, and all fields that are set', async () => {
    const [ada, bob] = [await server.buildUser(), await server.buildUser()]
    const target = await copyMain(repository)
    const { id } = await server.buildMergeRequest(repository.project, 'topic', target, {
      authorId: ada.id,
      assigneeIds: [bob.id, ada.id, bob.id],
      title: 'wip: not yet',
      description: null,
      squash: true,
      forceRemoveSourceBranch: true,
      allowCollaboration: true,
    })
    await server.app.db.run('test.times', { id, estimate: 12_600, spent: 270_000 }, (db, $) =>
      db
        .updateTable('mergeRequests')
        .set({ timeEstimate: $('estimate'), totalTimeSpent: $('spent'), discussionLocked: 1 })
        .where('id', '=', $('id')),
    )
    const { body } = await get(topic.first)
    expect(body[0]).toMatchObject({
      id,
      author: { id: ada.id },
      assignee: { id: bob.id },
      assignees: [{ id: bob.id }, { id: ada.id }],
      work_in_progress: true,
      description: null,
      squash: true,
      force_remove_source_branch: true,
      // Set only between projects.
      allow_collaboration: false,
      allow_maintainer_to_push: false,
      discussion_locked: true,
      time_stats: {
        time_estimate: 12_600,
        total_time_spent: 270_000,
        human_time_estimate: '3h 30m',
        human_total_time_spent: '1w 4d 3h',
      },
      task_completion_status: { count: 0, completed_count: 0 },
    })
  })

  it('returns 404 for an unknown commit', async () => {
    for (const sha of ['f'.repeat(40), 'nothing', '--all', '-x', '%20', 'a%00b', '~1']) {
      const answer = await get(sha)
      expect([sha, answer.status, answer.body]).toEqual([
        sha,
        404,
        { message: '404 Commit Not Found' },
      ])
    }
    const tree = await repository.git('rev-parse', 'topic^{tree}')
    expect((await get(tree)).status).toBe(404)
  })

  it('returns 400 for an invalid page', async () => {
    expect((await get(topic.first, server.root, 'page=x')).status).toBe(400)
    expect((await get(topic.first, server.root, 'pagination=keyset')).status).toBe(400)
  })

  it('requires a token, on public projects too', async () => {
    const answer = await get(topic.first, {})
    expect([answer.status, answer.body]).toEqual([401, { message: '401 Unauthorized' }])
    const stranger = await server.buildUser()
    expect((await get(topic.first, stranger)).status).toBe(200)
  })
})

describe('access to the merge requests of a commit', () => {
  it('requires the role and the features that show them', async () => {
    const hidden = await buildRepositoryFixture(server)
    await hidden.push('main')
    const [guest, reporter, stranger] = [
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
    ]
    await server.addMember(`projects/${hidden.project.id}`, guest.id, 10)
    await server.addMember(`projects/${hidden.project.id}`, reporter.id, 20)
    const ask = async ({ token }: { token: string }) => {
      const { status, body } = await server.inject('GET', path('main', hidden.project.id), {
        token,
      })
      return [status, status === 200 ? body : body.message]
    }
    expect(await ask(stranger)).toEqual([404, '404 Project Not Found'])
    expect(await ask(guest)).toEqual([403, '403 Forbidden'])
    expect(await ask(reporter)).toEqual([200, []])
    for (const field of ['merge_requests_access_level', 'repository_access_level']) {
      const set = async (value: string) => {
        const body = { [field]: value }
        const options = { token: server.root.token, body }
        expect((await server.inject('PUT', `/projects/${hidden.project.id}`, options)).status).toBe(
          200,
        )
      }
      await set('disabled')
      expect((await ask(reporter))[0]).toBe(403)
      await set('private')
      expect((await ask(reporter))[0]).toBe(200)
      expect((await ask(guest))[0]).toBe(403)
      await set('enabled')
    }
  })
})

describe("the query count of a commit's merge requests", () => {
  it('is the same for one and for many', async () => {
    const fixture = await buildRepositoryFixture(server, { visibility: 'public' })
    const sha = await fixture.commitTo('work', { 'w.txt': 'w\n' }, 'Work')
    await fixture.push('main', 'work')
    const build = async () => {
      const [author, assignee] = [await server.buildUser(), await server.buildUser()]
      const overrides = { authorId: author.id, assigneeIds: [assignee.id] }
      await server.buildMergeRequest(fixture.project, 'work', await copyMain(fixture), overrides)
    }
    const spend = async () => {
      const before = server.app.db.stats.queries
      const { token } = server.root
      const { body } = await server.inject('GET', path(sha, fixture.project.id), { token })
      return { found: body.length, queries: server.app.db.stats.queries - before }
    }
    await build()
    const one = await spend()
    for (let index = 0; index < 9; index += 1) await build()
    const ten = await spend()
    expect([one.found, ten.found]).toEqual([1, 10])
    expect(ten.queries).toBe(one.queries)
    // No trial merge is left to do.
    const again = await spend()
    expect(again.queries).toBeLessThan(ten.queries)
    expect(again.queries).toBeLessThanOrEqual(7)
  })
})

describe('several assignees', () => {
  it('are shown as one in the community tier', async () => {
    const small = await buildTestServer({ tier: 'community' })
    try {
      const fixture = await buildRepositoryFixture(small)
      await fixture.commitTo('work', { 'w.txt': 'w\n' }, 'Work')
      await fixture.push('main', 'work')
      const [ada, bob] = [await small.buildUser(), await small.buildUser()]
      const assigneeIds = [ada.id, bob.id]
      await small.buildMergeRequest(fixture.project, 'work', 'main', { assigneeIds })
      const { token } = small.root
      const { body } = await small.inject('GET', path('work', fixture.project.id), { token })
      expect(body[0].assignees.map((user: Json) => user.id)).toEqual([ada.id])
      expect(body[0].assignee.id).toBe(ada.id)
    } finally {
      await small.close()
    }
  })
})
