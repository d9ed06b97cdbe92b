import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildMergeFixture, type MergeFixture } from '../../testing/git/merge-fixture.ts'
import { readEvents } from '../../testing/merge-requests.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const build = (project?: Record<string, unknown>, request?: object) =>
  buildMergeFixture(server, project, request)

const merge = (fixture: MergeFixture, body: object = {}, token?: string) =>
  fixture.call('PUT', '/merge', body, token)

/** The commit at the tip of a branch, as the API shows it. */
async function commitOf({ project }: MergeFixture, branch = 'main'): Promise<Json> {
  const path = `/projects/${project.id}/repository/commits/${branch}`
  return (await server.inject('GET', path, { token: server.root.token })).body
}

const refused = { message: '405 Method Not Allowed' }

/** Closed, merged and so on: all that a merge request must be is checked at once. */
async function expectRefused(fixture: MergeFixture, body: object = {}): Promise<void> {
  const before = await fixture.tip('main')
  const answer = await merge(fixture, body)
  expect([answer.status, answer.body]).toEqual([405, refused])
  expect(await fixture.tip('main')).toBe(before)
}

describe('PUT /projects/:id/merge_requests/:merge_request_iid/merge', () => {
  it('creates a merge commit by the caller with the default message', async () => {
    const fixture = await build()
    const [main, topic] = [await fixture.tip('main'), await fixture.tip('topic')]
    const { status, body } = await merge(fixture)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      state: 'merged',
      merged_by: { id: fixture.user.id },
      merge_error: null,
      sha: topic,
      should_remove_source_branch: null,
    })
    expect(body.merge_commit_sha).toBe(await fixture.tip('main'))
    const path = fixture.project.path_with_namespace
    expect(await commitOf(fixture)).toMatchObject({
      parent_ids: [main, topic],
      author_name: 'Grace',
      committer_name: 'Grace',
      message: `Merge branch 'topic' into 'main'\n\nA title\n\nSee merge request ${path}!1`,
    })
    expect(await fixture.notes()).toEqual(['merged'])
    await server.runJobs()
    const events = await readEvents(server, fixture.project.id, 'merged')
    expect(events).toMatchObject([{ action_name: 'accepted', author_id: fixture.user.id }])
    expect(await fixture.tip('topic')).toBe(topic)
  })

  it('records a push event of the caller, and closes the issues that it names', async () => {
    const fixture = await build()
    const { id } = fixture.project
    const { token } = server.root
    await server.inject('POST', `/projects/${id}/issues`, { token, body: { title: 'Broken' } })
    const text = { description: 'Closes #1' }
    await server.inject('PUT', `/projects/${id}/merge_requests/1`, { token, body: text })
    expect((await merge(fixture)).status).toBe(200)
    expect((await commitOf(fixture)).message).toContain('\n\nCloses #1\n\nSee merge request')
    await server.runJobs()
    const issue = await server.inject('GET', `/projects/${id}/issues/1`, { token })
    expect(issue.body.state).toBe('closed')
    const pushes = await readEvents(server, id, 'pushed')
    expect(pushes[0]).toMatchObject({
      author_id: fixture.user.id,
      push_data: { ref: 'main', commit_to: await fixture.tip('main') },
    })
  })

  it('uses merge_commit_message', async () => {
    const fixture = await build()
    await merge(fixture, { merge_commit_message: 'Mine' })
    expect((await commitOf(fixture)).message).toBe('Mine')
  })

  it('fast-forwards without a merge commit with merge_method ff', async () => {
    const fixture = await build({ merge_method: 'ff' })
    const topic = await fixture.tip('topic')
    const { status, body } = await merge(fixture)
    expect([status, body.state, body.merge_commit_sha]).toEqual([200, 'merged', null])
    expect(await fixture.tip('main')).toBe(topic)
  })

  it.each(['ff', 'rebase_merge'])(
    'answers 406 with merge_method %s if the source lacks the head of the target',
    async (merge_method) => {
      const fixture = await build({ merge_method })
      const main = await fixture.commitTo('main', { 'm.txt': 'm' }, 'Main')
      await fixture.push('main')
      const { status, body } = await merge(fixture)
      expect([status, body]).toEqual([406, { message: 'Branch cannot be merged' }])
      expect(await fixture.tip('main')).toBe(main)
      expect((await fixture.row()).state).toBe('opened')
    },
  )

  it('creates a merge commit with merge_method rebase_merge', async () => {
    const fixture = await build({ merge_method: 'rebase_merge' })
    const ends = [await fixture.tip('main'), await fixture.tip('topic')]
    await merge(fixture)
    expect((await commitOf(fixture)).parent_ids).toEqual(ends)
  })

  it('squashes: the author is that of the request, and the message of the first commit with a body', async () => {
    const author = await server.buildUser({ name: 'Ada' })
    const fixture = await build({}, { authorId: author.id })
    const main = await fixture.tip('main')
    const { body } = await merge(fixture, { squash: true })
    expect(body).toMatchObject({ state: 'merged', squash: true })
    const commit = await commitOf(fixture)
    expect(commit.parent_ids[0]).toBe(main)
    expect(await commitOf(fixture, commit.parent_ids[1])).toMatchObject({
      parent_ids: [main],
      author_name: 'Ada',
      author_email: author.email,
      committer_name: 'Grace',
      message: 'Second\n\nWith a body\n',
    })
    expect(await fixture.log()).toHaveLength(3)
    const files = await fixture.git('ls-tree', '-r', '--name-only', 'FETCH_HEAD')
    expect(files.split('\n')).toEqual(['README.md', 'b.txt', 'c.txt'])
  })

  it('squashes into one commit on the target with merge_method ff', async () => {
    const fixture = await build({ merge_method: 'ff' })
    const main = await fixture.tip('main')
    const { body } = await merge(fixture, { squash: true, squash_commit_message: 'All' })
    expect([body.state, body.merge_commit_sha]).toEqual(['merged', null])
    expect(await commitOf(fixture)).toMatchObject({ parent_ids: [main], message: 'All' })
  })

  it('squashes a single commit only for a message of its own', async () => {
    const plain = await build({ merge_method: 'ff' })
    await plain.git('checkout', '--quiet', '-B', 'topic', 'main')
    const only = await plain.commitTo('topic', { 'one.txt': '1' }, 'Only')
    await plain.push('topic')
    await merge(plain, { squash: true })
    expect(await plain.tip('main')).toBe(only)
  })

  describe('deletes the source branch', () => {
    it('with should_remove_source_branch', async () => {
      const fixture = await build()
      const { body } = await merge(fixture, { should_remove_source_branch: true })
      expect(body).toMatchObject({ state: 'merged', should_remove_source_branch: true })
      expect(await fixture.tip('topic')).toBe('')
      await server.runJobs()
      const [event] = await readEvents(server, fixture.project.id, 'pushed')
      expect(event?.push_data).toMatchObject({ action: 'removed', ref: 'topic' })
      expect((await fixture.row()).state).toBe('merged')
    })

    it('with the stored option, unless the call says otherwise', async () => {
      const stored = { forceRemoveSourceBranch: true }
      const [one, two] = [await build({}, stored), await build({}, stored)]
      await merge(one)
      expect(await one.tip('topic')).toBe('')
      await merge(two, { should_remove_source_branch: false })
      await server.runJobs()
      expect(await two.tip('topic')).not.toBe('')
    })

    it('unless it is protected', async () => {
      const fixture = await build()
      const path = `/projects/${fixture.project.id}/protected_branches`
      await server.inject('POST', path, { token: server.root.token, body: { name: 'topic' } })
      expect((await merge(fixture, { should_remove_source_branch: true })).status).toBe(200)
      await server.runJobs()
      expect(await fixture.tip('topic')).not.toBe('')
    })
  })

  it('answers 401 to callers who may not merge into the target, and lets those who may', async () => {
    const fixture = await build()
    const developer = await server.buildUser()
    const guest = await server.buildUser()
    await server.addMember(`projects/${fixture.project.id}`, developer.id, 30)
    await server.addMember(`projects/${fixture.project.id}`, guest.id, 20)
    for (const { token } of [developer, guest]) {
      const { status, body } = await merge(fixture, {}, token)
      expect([status, body]).toEqual([401, { message: '401 Unauthorized' }])
    }
    const path = `/projects/${fixture.project.id}/protected_branches`
    const { token } = server.root
    await server.inject('DELETE', `${path}/main`, { token })
    const body = { name: 'main', push_access_level: 0, merge_access_level: 30 }
    await server.inject('POST', path, { token, body })
    expect((await merge(fixture, {}, guest.token)).status).toBe(401)
    expect((await merge(fixture, {}, developer.token)).status).toBe(200)
  })

  it('answers 404 to callers who cannot read it', async () => {
    const fixture = await build({ visibility: 'private' })
    const stranger = await server.buildUser()
    expect((await merge(fixture, {}, stranger.token)).status).toBe(404)
  })

  describe('answers 405', () => {
    it('if it is merged or closed', async () => {
      const fixture = await build()
      await merge(fixture)
      await expectRefused(fixture)
      const closed = await build()
      await closed.call('PUT', '', { state_event: 'close' })
      await expectRefused(closed)
    })

    it('if it is work in progress', async () => {
      await expectRefused(await build({}, { title: 'WIP: not yet' }))
    })

    it('without commits', async () => {
      const fixture = await build()
      await fixture.git('checkout', '--quiet', '-B', 'topic', 'main')
      await fixture.push('topic')
      await expectRefused(fixture)
    })

    it('if the source or target branch is gone', async () => {
      const fixture = await build()
      await fixture.push(':topic')
      await expectRefused(fixture)
    })

    it('if the project requires a pipeline, unless it succeeded', async () => {
      const fixture = await build({ only_allow_merge_if_pipeline_succeeds: true })
      await expectRefused(fixture)
      await report(fixture, 'running')
      await expectRefused(fixture)
      await report(fixture, 'failed')
      await expectRefused(fixture)
      await report(fixture, 'running', 'again')
      await report(fixture, 'success', 'again')
      await expectRefused(fixture)
      await report(fixture, 'success')
      expect((await merge(fixture)).status).toBe(200)
    })

    it('if the project requires threads to be resolved, until they are', async () => {
      const fixture = await build({ only_allow_merge_if_all_discussions_are_resolved: true })
      const { body: thread } = await fixture.call('POST', '/discussions', { body: 'Why?' })
      await expectRefused(fixture)
      await fixture.call('PUT', `/discussions/${thread.id}`, { resolved: true })
      expect((await merge(fixture)).status).toBe(200)
    })
  })

  it('answers 406 for a conflict, and 405 once it is known', async () => {
    const fixture = await build()
    const main = await fixture.commitTo('main', { 'b.txt': 'other\n' }, 'Clash')
    await fixture.push('main')
    const { status, body } = await merge(fixture)
    expect([status, body]).toEqual([406, { message: 'Branch cannot be merged' }])
    await expectRefused(fixture)
    expect(await fixture.tip('main')).toBe(main)
  })

  it('answers 409 if sha is not the head, and merges if it is', async () => {
    const fixture = await build()
    const head = await fixture.tip('topic')
    const stale = await fixture.tip('main')
    const { status, body } = await merge(fixture, { sha: stale })
    const message = `SHA does not match HEAD of source branch: ${head}`
    expect([status, body]).toEqual([409, { message }])
    expect((await merge(fixture, { sha: head })).status).toBe(200)
  })

  it('refuses in the order of 401, 405, 406 and 409', async () => {
    const fixture = await build({ merge_method: 'ff' })
    await fixture.commitTo('main', { 'm.txt': 'm' }, 'Main')
    await fixture.push('main')
    const stale = await fixture.tip('main')
    expect((await merge(fixture, { sha: stale })).status).toBe(406)
    await fixture.call('PUT', '', { title: 'WIP: later' })
    await expectRefused(fixture, { sha: stale })
    const stranger = await server.buildUser()
    expect((await merge(fixture, { sha: stale }, stranger.token)).status).toBeOneOf([401, 404])
  })

  it('merges what was pushed a moment ago, before the jobs have seen it', async () => {
    const fixture = await build()
    const head = await fixture.commitTo('topic', { 'd.txt': 'd' }, 'Third')
    await fixture.push('topic')
    const { body } = await merge(fixture)
    expect([body.state, body.sha]).toEqual(['merged', head])
  })

  it('merges once if it is called several times at once; the others get 405', async () => {
    const fixture = await build()
    const answers = await Promise.all(Array.from({ length: 4 }, () => merge(fixture)))
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, 405, 405, 405])
    expect(await fixture.log()).toHaveLength(4)
    expect(await fixture.notes()).toEqual(['merged'])
  })

  it('loses nothing that is pushed to the target meanwhile', async () => {
    const fixture = await build()
    const path = `/projects/${fixture.project.id}/repository/files`
    const write = (name: string) =>
      server.inject('POST', `${path}/${name}`, {
        token: server.root.token,
        body: { branch: 'main', content: 'x', commit_message: name },
      })
    const names = ['p1', 'p2', 'p3', 'p4']
    const [merged, ...written] = await Promise.all([merge(fixture), ...names.map(write)])
    expect(merged?.status).toBe(200)
    expect(merged?.body.state).toBe('merged')
    await fixture.log()
    const files = (await fixture.git('ls-tree', '-r', '--name-only', 'FETCH_HEAD')).split('\n')
    const kept = names.filter((_, index) => written[index]?.status === 201)
    expect(files).toEqual(expect.arrayContaining(['b.txt', 'c.txt', ...kept]))
  })

  it('merges a fork, with its commits', async () => {
    const fixture = await build()
    const { token } = server.root
    const fork = (await server.buildProject()) as Json
    await server.app.db.run('test.fork', { id: fork.id, of: fixture.project.id }, (db, $) =>
      db
        .updateTable('projects')
        .set({ forkedFromProjectId: $('of') })
        .where('id', '=', $('id')),
    )
    const url = fixture.remote.replace(
      fixture.project.path_with_namespace,
      fork.path_with_namespace,
    )
    await fixture.git('push', '--quiet', url, 'main', 'topic')
    const overrides = { targetProjectId: fixture.project.id }
    const made = await server.buildMergeRequest(fork, 'topic', 'main', overrides)
    const at = `/projects/${fixture.project.id}/merge_requests/${made.iid}/merge`
    const body = { should_remove_source_branch: true }
    const answer = await server.inject('PUT', at, { token, body })
    expect([answer.status, answer.body.state]).toEqual([200, 'merged'])
    expect(await fixture.git('ls-remote', url, 'refs/heads/topic')).toBe('')
    expect(await fixture.tip('topic')).not.toBe('')
  })
})

/** Reports a status of the head. */
async function report(fixture: MergeFixture, state: string, name = 'test'): Promise<void> {
  const path = `/projects/${fixture.project.id}/statuses/${await fixture.tip('topic')}`
  const body = { state, name, ref: 'topic' }
  await server.inject('POST', path, { token: server.root.token, body })
}

describe('PUT .../merge with merge_when_pipeline_succeeds', () => {
  const queue = (fixture: MergeFixture, body: object = {}) =>
    merge(fixture, { merge_when_pipeline_succeeds: true, ...body })

  it('waits for the running pipeline, and merges with the stored options when it succeeds', async () => {
    const fixture = await build({ only_allow_merge_if_pipeline_succeeds: true })
    await report(fixture, 'running')
    const options = { merge_commit_message: 'Late', should_remove_source_branch: true }
    const { status, body } = await queue(fixture, options)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      state: 'opened',
      merge_when_pipeline_succeeds: true,
      should_remove_source_branch: true,
    })
    const head = await fixture.tip('topic')
    const note = `enabled an automatic merge when the pipeline for ${head} succeeds`
    expect(await fixture.notes()).toEqual([note])
    await server.runJobs()
    expect((await fixture.row()).state).toBe('opened')
    await report(fixture, 'success')
    await server.runJobs()
    expect(await fixture.row()).toMatchObject({ state: 'merged', mergedById: fixture.user.id })
    expect((await commitOf(fixture)).message).toBe('Late')
    expect(await fixture.tip('topic')).toBe('')
    expect(await fixture.notes()).toEqual([note, 'merged'])
  })

  it('merges at once without a running pipeline', async () => {
    const fixture = await build()
    expect((await queue(fixture)).body.state).toBe('merged')
  })

  it('stays open if the pipeline fails', async () => {
    const fixture = await build()
    await report(fixture, 'running')
    await queue(fixture)
    await report(fixture, 'failed')
    await server.runJobs()
    const row = await fixture.row()
    expect(row).toMatchObject({ state: 'opened', mergeWhenPipelineSucceeds: 1 })
  })

  it.each([
    ['the source branch is pushed to', 'source branch was updated'],
    ['the target branch is changed', 'target branch was changed'],
    ['it is closed', 'merge request was closed'],
  ])('is aborted when %s', async (cause, reason) => {
    const fixture = await build()
    await report(fixture, 'running')
    await queue(fixture, { should_remove_source_branch: false })
    if (cause.startsWith('the source')) {
      await fixture.commitTo('topic', { 'd.txt': 'd' }, 'Third')
      await fixture.push('topic')
    } else if (cause.startsWith('the target')) {
      await fixture.push('main:other')
      await fixture.call('PUT', '', { target_branch: 'other' })
    } else await fixture.call('PUT', '', { state_event: 'close' })
    await server.runJobs()
    expect(await fixture.row()).toMatchObject({
      mergeWhenPipelineSucceeds: 0,
      mergeUserId: null,
      mergeParams: null,
      shouldRemoveSourceBranch: null,
    })
    expect(await fixture.notes()).toContain(`aborted the automatic merge because ${reason}`)
  })
})

describe('POST and PUT .../cancel_merge_when_pipeline_succeeds', () => {
  const path = '/cancel_merge_when_pipeline_succeeds'

  it.each([
    ['POST', 201],
    ['PUT', 200],
  ] as const)('%s cancels for the author and those who may merge', async (method, expected) => {
    const author = await server.buildUser()
    const fixture = await build({}, { authorId: author.id })
    await server.addMember(`projects/${fixture.project.id}`, author.id, 10)
    await report(fixture, 'running')
    for (const token of [author.token, fixture.user.token]) {
      const options = { merge_when_pipeline_succeeds: true, should_remove_source_branch: true }
      await merge(fixture, options)
      const { status, body } = await fixture.call(method, path, {}, token)
      expect([status, body.merge_when_pipeline_succeeds]).toEqual([expected, false])
      expect(body.should_remove_source_branch).toBeNull()
    }
    const row = await fixture.row()
    expect(row).toMatchObject({ mergeUserId: null, mergeParams: null })
    expect((await fixture.notes()).at(-1)).toBe('canceled the automatic merge')
    await report(fixture, 'success')
    await server.runJobs()
    expect((await fixture.row()).state).toBe('opened')
  })

  it('answers 401, 405 and 406', async () => {
    const fixture = await build()
    const stranger = await server.buildUser()
    await server.addMember(`projects/${fixture.project.id}`, stranger.id, 20)
    expect((await fixture.call('POST', path, {}, stranger.token)).status).toBe(401)
    expect((await fixture.call('POST', path)).status).toBe(406)
    await merge(fixture)
    expect((await fixture.call('POST', path)).status).toBe(405)
  })
})
