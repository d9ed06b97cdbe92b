import { listVersionCommits } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildWorkPlace, type WorkPlace } from '../testing/git/work-place.ts'
import { readEvents, readRequest, readVersions, remoteHead } from '../testing/merge-requests.ts'
import { buildTestServer, type Json, type TestServer } from '../testing/test-server.ts'
import { refreshMergeRequests } from './merge-request-refresh.service.ts'

let server: TestServer
let place: WorkPlace
let first: string
let request: { id: number; iid: number }

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  place = await buildWorkPlace(server)
  first = await place.commitTo('topic', { 'b.txt': 'b\n' }, 'First')
  await place.push('main', 'topic')
  request = await server.buildMergeRequest(place.project, 'topic', 'main')
  await server.runJobs()
})

const show = () => readRequest(server, request.id)
const versions = () => readVersions(server, request.id)
const events = (action: string) => readEvents(server, place.project.id, action)

async function push(...refs: string[]): Promise<void> {
  await place.push(...refs)
  await server.runJobs()
}

describe('a push to the source branch', () => {
  it('gives the request a version with the new head and its commits', async () => {
    server.advance(1000)
    const before = await show()
    const second = await place.commitTo('topic', { 'b.txt': 'c\n' }, 'Second')
    await push('topic')
    const [one, two] = await versions()
    expect(two).toMatchObject({ headSha: second, startSha: one?.startSha, commitCount: 2 })
    expect(await listVersionCommits(server.app.db, two?.id ?? 0)).toEqual([second, first])
    expect(await listVersionCommits(server.app.db, one?.id ?? 0)).toEqual([first])
    const after = await show()
    expect(after).toMatchObject({ state: 'opened', headSha: second, mergeStatus: 'unchecked' })
    expect(after.latestVersionId).toBe(two?.id)
    expect(after.updatedAt).toBeGreaterThan(before.updatedAt)
    expect(await remoteHead(place, request.iid)).toBe(second)
  })

  it('forgets commits that were pushed away, but keeps them for the version that had them', async () => {
    await place.git('checkout', '--quiet', '-B', 'topic', 'main')
    const other = await place.commitTo('topic', { 'c.txt': 'c\n' }, 'Instead')
    await push('topic')
    const [one, two] = await versions()
    expect(await listVersionCommits(server.app.db, two?.id ?? 0)).toEqual([other])
    expect(await listVersionCommits(server.app.db, one?.id ?? 0)).toEqual([first])
    const { token } = server.root
    const ask = async (sha: string) => {
      const path = `/projects/${place.project.id}/repository/commits/${sha}/merge_requests`
      return (await server.inject('GET', path, { token })).body
    }
    expect(await ask(first)).toEqual([])
    expect(await ask(other)).toHaveLength(1)
  })

  it('cancels the merge that waits for a pipeline', async () => {
    await server.app.db.run('test.queue', { id: request.id }, (db, $) =>
      db
        .updateTable('mergeRequests')
        .set({ mergeWhenPipelineSucceeds: 1, mergeUserId: 1 })
        .where('id', '=', $('id')),
    )
    await place.commitTo('topic', {}, 'More')
    await push('topic')
    expect(await show()).toMatchObject({ mergeWhenPipelineSucceeds: 0, mergeUserId: null })
  })

  it('says again what conflicted before, until it is looked at', async () => {
    await place.commitTo('main', { 'b.txt': 'main\n' }, 'Clash')
    await push('main')
    const read = async () => {
      const { token } = server.root
      const path = `/projects/${place.project.id}/repository/commits/topic/merge_requests`
      return (await server.inject('GET', path, { token })).body[0].merge_status
    }
    expect(await read()).toBe('cannot_be_merged')
    expect((await show()).mergeStatus).toBe('cannot_be_merged')
    await place.commitTo('topic', { 'd.txt': 'd\n' }, 'More')
    await push('topic')
    expect((await show()).mergeStatus).toBe('cannot_be_merged_recheck')
    expect(await read()).toBe('cannot_be_merged')
    await place.git('merge', '--quiet', '-s', 'ours', '-m', 'Settle', 'main')
    await push('topic')
    expect(await read()).toBe('can_be_merged')
  })

  it.each(['fixup! First', 'wip: more'])(
    'marks the title as work in progress for a commit called %j',
    async (title) => {
      const before = await show()
      await place.commitTo('topic', {}, title)
      await push('topic')
      expect(await show()).toMatchObject({ title: `WIP: ${before.title}`, workInProgress: 1 })
    },
  )

  it('marks no title for what was there before, or lies in the target', async () => {
    const { title } = await show()
    await place.commitTo('topic', {}, 'fixup! First')
    await push('topic')
    await server.app.db.run('test.title', { id: request.id, title }, (db, $) =>
      db
        .updateTable('mergeRequests')
        .set({ title: $('title'), workInProgress: 0 })
        .where('id', '=', $('id')),
    )
    await place.commitTo('main', {}, 'WIP in main')
    await place.mergeInto('topic', 'main')
    await push('main', 'topic')
    expect(await show()).toMatchObject({ title, workInProgress: 0 })
    expect((await versions()).length).toBeGreaterThan(2)
  })

  it('leaves closed requests alone', async () => {
    await push(':topic')
    expect((await show()).state).toBe('closed')
    const known = await versions()
    await place.commitTo('topic', {}, 'More')
    await push('topic')
    expect(await versions()).toEqual(known)
    expect(await show()).toMatchObject({ state: 'closed', headSha: first })
  })
})

describe('a push to the target branch', () => {
  it('gives the request a version, whose commits stand there once', async () => {
    server.advance(1000)
    const before = await show()
    const main = await place.commitTo('main', { 'm.txt': 'm\n' }, 'Main')
    await push('main')
    const [one, two] = await versions()
    expect(two).toMatchObject({ headSha: first, startSha: main, baseSha: one?.baseSha })
    expect(two?.commitsVersionId).toBe(one?.id)
    expect(await listVersionCommits(server.app.db, two?.id ?? 0)).toEqual([first])
    const after = await show()
    expect(after).toMatchObject({ startSha: main, mergeStatus: 'unchecked', state: 'opened' })
    expect(after.updatedAt).toBe(before.updatedAt)
  })

  it('drops commits that have arrived in another way', async () => {
    const second = await place.commitTo('topic', { 'b.txt': 'c\n' }, 'Second')
    await push('topic')
    await place.git('checkout', '--quiet', 'main')
    await place.git('merge', '--quiet', '--ff-only', first)
    await push('main')
    const newest = (await versions()).at(-1)
    expect(newest).toMatchObject({ baseSha: first, startSha: first, headSha: second })
    expect(await listVersionCommits(server.app.db, newest?.id ?? 0)).toEqual([second])
    expect((await show()).state).toBe('opened')
  })

  it('leaves the request open when the branch is removed', async () => {
    const other = await server.buildMergeRequest(place.project, 'topic', 'topic2').catch(() => 0)
    expect(other).toBe(0)
    await push('main:release')
    const { id } = await server.buildMergeRequest(place.project, 'topic', 'release')
    await push(':release')
    expect(await readRequest(server, id)).toMatchObject({
      state: 'opened',
      mergeStatus: 'unchecked',
    })
    const { token } = server.root
    const path = `/projects/${place.project.id}/repository/commits/topic/merge_requests`
    const { body } = await server.inject('GET', path, { token })
    const shown = body.find((entry: Json) => entry.id === id)
    expect(shown.merge_status).toBe('cannot_be_merged')
  })
})

describe('a push that brings the head into the target branch', () => {
  it('merges the request, by the pusher, with the merge commit found', async () => {
    const early = await place.commitTo('main', { 'm.txt': 'm\n' }, 'Main')
    const merge = await place.mergeInto('main', 'topic')
    await place.commitTo('main', { 'm.txt': 'n\n' }, 'After')
    await push('main')
    const merged = await show()
    expect(merged).toMatchObject({
      state: 'merged',
      mergedById: 1,
      mergeCommitSha: merge,
      headSha: first,
      closedById: null,
    })
    expect(merged.mergedAt).toBeGreaterThanOrEqual(merged.createdAt)
    expect(merged.startSha).not.toBe(early)
    expect(await events('merged')).toMatchObject([
      { action_name: 'accepted', target_type: 'MergeRequest', target_id: request.id, author_id: 1 },
    ])
    await push(':topic')
    expect((await show()).state).toBe('merged')
    expect(await remoteHead(place, request.iid)).toBe(first)
  })

  it('has no merge commit where the branch only moved forward', async () => {
    await push('topic:main')
    expect(await show()).toMatchObject({ state: 'merged', mergeCommitSha: null })
  })

  it('merges also what is removed or moved on in the same push', async () => {
    const second = await place.commitTo('topic', { 'b.txt': 'c\n' }, 'Second')
    const merge = await place.mergeInto('main', 'topic')
    await push('topic', 'main')
    expect(await show()).toMatchObject({
      state: 'merged',
      headSha: second,
      mergeCommitSha: merge,
    })
    const third = await place.commitTo('a-branch', { 'a.txt': 'a\n' }, 'Third')
    await push('a-branch')
    const other = await server.buildMergeRequest(place.project, 'a-branch', 'main')
    await place.mergeInto('main', 'a-branch')
    await push(':a-branch', 'main')
    expect(await readRequest(server, other.id)).toMatchObject({ state: 'merged', headSha: third })
    expect(await events('closed')).toEqual([])
  })

  it('merges in whatever order the pushes are worked through', async () => {
    const second = await place.commitTo('topic', { 'b.txt': 'c\n' }, 'Second')
    const start = (await show()).startSha
    const merge = await place.mergeInto('main', 'topic')
    await place.push('topic')
    await place.push('main')
    const signal = new AbortController().signal
    const about = (ref: string, before: string, after: string) =>
      refreshMergeRequests(
        server.app,
        { ...anyPush, projectId: place.project.id, updates: [{ ref, before, after }] },
        signal,
      )
    await about('refs/heads/topic', first, second)
    expect(await show()).toMatchObject({ state: 'opened', headSha: second, startSha: start })
    await about('refs/heads/main', start, merge)
    expect(await show()).toMatchObject({ state: 'merged', mergeCommitSha: merge })
    await about('refs/heads/topic', first, second)
    expect((await versions()).length).toBe(2)
  })

  it('leaves a request without commits open', async () => {
    await push('main:same')
    const { id } = await server.buildMergeRequest(place.project, 'same', 'main')
    await place.commitTo('main', {}, 'More')
    await push('main')
    expect(await readRequest(server, id)).toMatchObject({ state: 'opened' })
  })
})

const anyPush = {
  key: 'test',
  userId: 1,
  options: [],
  pushedAt: 0,
  defaultBranch: 'main',
  head: null,
}

describe('a push that removes the source branch', () => {
  it('closes the request, by the pusher, and keeps its head', async () => {
    const pusher = await server.buildUser()
    await server.addMember(`projects/${place.project.id}`, pusher.id, 40)
    const path = `/projects/${place.project.id}/repository/branches/topic`
    expect((await server.inject('DELETE', path, { token: pusher.token })).status).toBe(204)
    await server.runJobs()
    const closed = await show()
    expect(closed).toMatchObject({ state: 'closed', closedById: pusher.id, mergedById: null })
    expect(closed.closedAt).toBe(closed.updatedAt)
    expect(await events('closed')).toMatchObject([
      {
        action_name: 'closed',
        target_type: 'MergeRequest',
        target_id: request.id,
        target_iid: request.iid,
        target_title: closed.title,
        author_id: pusher.id,
      },
    ])
    expect(await remoteHead(place, request.iid)).toBe(first)
  })

  it('leaves it open where the branch is back before anybody looked', async () => {
    await place.push(':topic')
    await place.push('topic')
    await server.runJobs()
    expect((await show()).state).toBe('opened')
  })
})
