import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../../testing/git/repository-fixture.ts'
import {
  readEvents,
  readRequest,
  readVersions,
  remoteHead,
} from '../../../testing/merge-requests.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let fixture: RepositoryFixture
let request: { id: number; iid: number }

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildRepositoryFixture(server)
  await fixture.commitTo('topic', { 'b.txt': 'b\n' }, 'First')
  await fixture.git('branch', 'stable', 'main')
  await fixture.push('main', 'topic', 'stable')
  request = await server.buildMergeRequest(fixture.project, 'topic', 'main', { title: 'Old' })
  await server.runJobs()
})

const path = () => `/projects/${fixture.project.id}/merge_requests/${request.iid}`
const put = (body: object, token = server.root.token) =>
  server.inject('PUT', path(), { token, body })
const get = async (part = '', token = server.root.token) =>
  server.inject('GET', `${path()}${part}`, { token })
const notes = async (): Promise<string[]> =>
  (await get('/notes')).body.map((note: Json) => note.body).toReversed()

async function member(level: number) {
  const user = await server.buildUser()
  await server.addMember(`projects/${fixture.project.id}`, user.id, level)
  return user
}

describe('PUT /projects/:id/merge_requests/:merge_request_iid', () => {
  it('changes all settings, with notes', async () => {
    const { status, body } = await put({
      title: 'WIP: New',
      description: 'Text',
      labels: ['a', 'b'],
      assignee_ids: [1],
      squash: true,
      remove_source_branch: true,
      discussion_locked: true,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      title: 'WIP: New',
      work_in_progress: true,
      description: 'Text',
      labels: ['a', 'b'],
      assignees: [{ id: 1 }],
      squash: true,
      force_remove_source_branch: true,
      discussion_locked: true,
    })
    expect(await notes()).toEqual([
      'marked as a **Work In Progress**',
      'changed title from **{-Old-}** to **{+WIP: New+}**',
      'changed the description',
      'locked this merge request',
      'assigned to @root',
    ])
  })

  it('notes only the prefix if the rest of the title stays', async () => {
    await put({ title: 'WIP: Old' })
    await put({ title: 'Old' })
    expect(await notes()).toEqual([
      'marked as a **Work In Progress**',
      'unmarked as a **Work In Progress**',
    ])
  })

  it('clears assignees, milestone and labels', async () => {
    await put({ labels: 'a', assignee_id: 1 })
    const { body } = await put({ labels: '', assignee_id: 0, milestone_id: 0 })
    expect(body).toMatchObject({ labels: [], assignees: [], milestone: null })
  })

  it('returns 400 without a parameter, and for a blank title or target branch', async () => {
    expect((await put({})).status).toBe(400)
    expect((await put({ title: ' ' })).body).toEqual({ message: { title: ["can't be blank"] } })
    const blank = await put({ target_branch: '' })
    expect([blank.status, Object.keys(blank.body.message)]).toEqual([400, ['target_branch']])
  })

  it('closes and reopens, with events, notes and who closed it', async () => {
    const closed = await put({ state_event: 'close' })
    expect(closed.body).toMatchObject({ state: 'closed', closed_by: { id: 1 } })
    expect(closed.body.closed_at).not.toBeNull()
    const again = await put({ state_event: 'close' })
    expect([again.status, again.body.state]).toEqual([200, 'closed'])
    const opened = await put({ state_event: 'reopen' })
    expect(opened.body).toMatchObject({ state: 'opened', closed_by: null, closed_at: null })
    expect(await notes()).toEqual(['closed', 'reopened'])
    const { id } = fixture.project
    expect(await readEvents(server, id, 'closed')).toHaveLength(1)
    expect(await readEvents(server, id, 'reopened')).toMatchObject([{ action_name: 'opened' }])
  })

  it('reopens with the commits that were pushed meanwhile', async () => {
    await put({ state_event: 'close' })
    const head = await fixture.commitTo('topic', { 'c.txt': 'c\n' }, 'Later')
    await fixture.push('topic')
    await server.runJobs()
    expect((await get()).body.sha).not.toBe(head)
    expect((await put({ state_event: 'reopen' })).body).toMatchObject({
      sha: head,
      changes_count: '2',
    })
  })

  it('does not reopen without the source branch, or a locked discussion', async () => {
    await put({ state_event: 'close', discussion_locked: true })
    expect((await put({ state_event: 'reopen' })).body.state).toBe('closed')
    await put({ discussion_locked: false })
    await fixture.push(':topic')
    const { status, body } = await put({ state_event: 'reopen' })
    expect([status, body.state]).toEqual([200, 'closed'])
  })

  it('returns 409 for reopening while another one is open', async () => {
    await put({ state_event: 'close' })
    await server.buildMergeRequest(fixture.project, 'topic', 'main')
    const { status, body } = await put({ state_event: 'reopen' })
    expect([status, body]).toEqual([
      409,
      { message: ['Another open merge request already exists for this source branch: !2'] },
    ])
  })

  it('changes the target branch, with a new version and a note', async () => {
    const { body } = await put({ target_branch: 'stable' })
    expect(body).toMatchObject({ target_branch: 'stable', merge_status: 'can_be_merged' })
    expect(await readVersions(server, request.id)).toHaveLength(2)
    expect(await notes()).toEqual(['changed target branch from `main` to `stable`'])
  })

  it('aborts a merge that waits for a pipeline when the target branch changes', async () => {
    await server.app.db.run('test.wait', { id: request.id }, (db, $) =>
      db
        .updateTable('mergeRequests')
        .set({ mergeWhenPipelineSucceeds: 1, mergeUserId: 1 })
        .where('id', '=', $('id')),
    )
    const { body } = await put({ target_branch: 'stable' })
    expect(body.merge_when_pipeline_succeeds).toBe(false)
    expect(await readRequest(server, request.id)).toMatchObject({ mergeUserId: null })
    expect((await notes())[1]).toBe('aborted the automatic merge because target branch was changed')
  })

  it('refuses a target branch that is missing, the source, or taken', async () => {
    expect((await put({ target_branch: 'none' })).status).toBe(400)
    expect(await put({ target_branch: 'topic' })).toMatchObject({
      status: 422,
      body: { error: ["You can't use same project/branch for source and target"] },
    })
    await server.buildMergeRequest(fixture.project, 'topic', 'stable')
    expect(await put({ target_branch: 'stable' })).toMatchObject({ status: 409 })
  })

  it('leaves the branches of one without its fork as they are', async () => {
    await put({ state_event: 'close' })
    await server.app.db.run('test.orphan', { id: request.id }, (db, $) =>
      db.updateTable('mergeRequests').set({ sourceProjectId: null }).where('id', '=', $('id')),
    )
    const { status, body } = await put({
      target_branch: 'stable',
      remove_source_branch: true,
      state_event: 'reopen',
    })
    expect([status, body]).toMatchObject([
      200,
      { target_branch: 'main', force_remove_source_branch: false, state: 'closed' },
    ])
  })

  it('ignores what only developers may set, from an author who is a guest', async () => {
    const author = await member(10)
    request = await server.buildMergeRequest(fixture.project, 'topic', 'stable', {
      authorId: author.id,
    })
    const { status, body } = await put(
      { title: 'Mine', labels: 'a', assignee_id: 1, discussion_locked: true },
      author.token,
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({
      title: 'Mine',
      labels: [],
      assignee: null,
      discussion_locked: null,
    })
  })

  it('returns 403 to reporters and guests, 404 to strangers', async () => {
    const statuses = [20, 10].map(async (level) => {
      return (await put({ title: 'x' }, (await member(level)).token)).status
    })
    expect(await Promise.all(statuses)).toEqual([403, 403])
    expect((await put({ title: 'x' }, (await server.buildUser()).token)).status).toBe(404)
  })
})

describe('a push to the source branch', () => {
  it('notes the commits, and aborts a merge that waits', async () => {
    await server.app.db.run('test.wait', { id: request.id }, (db, $) =>
      db
        .updateTable('mergeRequests')
        .set({ mergeWhenPipelineSucceeds: 1, mergeUserId: 1 })
        .where('id', '=', $('id')),
    )
    const { startSha: _, id } = (await readVersions(server, request.id))[0] ?? {}
    const before = (await get()).body.sha
    const sha = await fixture.commitTo('topic', { 'c.txt': 'c\n' }, 'Use <b> & co')
    await fixture.push('topic')
    await server.runJobs()
    const web = `http://stithy.test/${fixture.project.path_with_namespace}/merge_requests/1`
    const link = `${web}/diffs?diff_id=${Number(id) + 1}&start_sha=${before}`
    expect(await notes()).toEqual([
      `added 1 commit\n\n<ul><li>${sha.slice(0, 8)} - Use &lt;b&gt; &amp; co</li></ul>\n\n` +
        `[Compare with previous version](${link})`,
      'aborted the automatic merge because source branch was updated',
    ])
  })
})

describe('POST /projects/:id/merge_requests/:merge_request_iid/subscribe', () => {
  it('subscribes once, then returns 304', async () => {
    const user = await member(30)
    const call = (action: string) =>
      server.inject('POST', `${path()}/${action}`, { token: user.token })
    const subscribed = await call('subscribe')
    expect([subscribed.status, subscribed.body.subscribed]).toEqual([201, true])
    expect((await call('subscribe')).status).toBe(304)
    const ended = await call('unsubscribe')
    expect([ended.status, ended.body.subscribed]).toEqual([201, false])
    expect((await call('unsubscribe')).status).toBe(304)
  })

  it('returns 403 to reporters', async () => {
    const { token } = await member(20)
    expect((await server.inject('POST', `${path()}/subscribe`, { token })).status).toBe(403)
  })
})

describe('DELETE /projects/:id/merge_requests/:merge_request_iid', () => {
  const remove = (token = server.root.token, headers = {}) =>
    server.inject('DELETE', path(), { token, headers })

  it('deletes it with its notes, events and refs', async () => {
    await put({ title: 'New' })
    expect((await remove()).status).toBe(204)
    await server.runJobs()
    expect((await get()).status).toBe(404)
    expect(await remoteHead(fixture, request.iid)).toBe('')
    expect(await readVersions(server, request.id)).toEqual([])
    const events = await readEvents(server, fixture.project.id, 'created')
    expect(events.filter((event) => event.target_type === 'MergeRequest')).toEqual([])
    expect((await remove()).status).toBe(404)
  })

  it('returns 412 if it changed since If-Unmodified-Since', async () => {
    const headers = { 'if-unmodified-since': new Date(0).toUTCString() }
    expect((await remove(undefined, headers)).status).toBe(412)
  })

  it('is for owners: others get 403', async () => {
    expect((await remove((await member(40)).token)).status).toBe(403)
  })
})
