import { listVersionCommits } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteUser } from '../../testing/delete-user.ts'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../testing/git/repository-fixture.ts'
import { readEvents, readRequest, readVersions, remoteHead } from '../../testing/merge-requests.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { type Refresh, refreshMergeRequests } from './merge-request-refresh.service.ts'

let server: TestServer
let fixture: RepositoryFixture
let first: string
let request: { id: number; iid: number }

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildRepositoryFixture(server)
  first = await fixture.commitTo('topic', { 'b.txt': 'b\n' }, 'First')
  await fixture.push('main', 'topic')
  request = await server.buildMergeRequest(fixture.project, 'topic', 'main')
  await server.runJobs()
})

const show = () => readRequest(server, request.id)
const versions = () => readVersions(server, request.id)
const events = (action: string) => readEvents(server, fixture.project.id, action)

/** The texts of its system notes, oldest first. */
async function systemNotes(iid = request.iid): Promise<string[]> {
  const path = `/projects/${fixture.project.id}/merge_requests/${iid}/notes`
  const { token } = server.root
  const { body } = await server.inject('GET', path, { token, query: 'sort=asc' })
  return body.filter((note: Json) => note.system).map((note: Json) => note.body)
}

/** The pushes whose jobs are stored, oldest first. */
async function recordedPushes(): Promise<Refresh[]> {
  const jobs = await server.app.db.all('test.refreshPayloads', {}, (db) =>
    db
      .selectFrom('jobs')
      .where('kind', '=', 'merge-requests.refresh')
      .orderBy('id')
      .select('payload'),
  )
  const pushes: Refresh[] = jobs.map(({ payload }) => JSON.parse(payload))
  return pushes.filter(({ projectId }) => projectId === fixture.project.id)
}

async function readStatus(): Promise<string> {
  const path = `/projects/${fixture.project.id}/merge_requests/${request.iid}`
  return (await server.inject('GET', path, { token: server.root.token })).body.merge_status
}

async function push(...refs: string[]): Promise<void> {
  await fixture.push(...refs)
  await server.runJobs()
}

describe('a push to the source branch', () => {
  it('adds a version with the new head and its commits', async () => {
    server.advance(1000)
    const before = await show()
    const second = await fixture.commitTo('topic', { 'b.txt': 'c\n' }, 'Second')
    await push('topic')
    const [one, two] = await versions()
    expect(two).toMatchObject({ headSha: second, startSha: one?.startSha, commitCount: 2 })
    expect(await listVersionCommits(server.app.db, two?.id ?? 0)).toEqual([second, first])
    expect(await listVersionCommits(server.app.db, one?.id ?? 0)).toEqual([first])
    const after = await show()
    expect(after).toMatchObject({ state: 'opened', headSha: second, mergeStatus: 'unchecked' })
    expect(after.latestVersionId).toBe(two?.id)
    expect(after.updatedAt).toBeGreaterThan(before.updatedAt)
    expect(await remoteHead(fixture, request.iid)).toBe(second)
  })

  it('drops commits that a force push removed, but keeps them in the versions that had them', async () => {
    await fixture.git('checkout', '--quiet', '-B', 'topic', 'main')
    const other = await fixture.commitTo('topic', { 'c.txt': 'c\n' }, 'Instead')
    await push('topic')
    const [one, two] = await versions()
    expect(await listVersionCommits(server.app.db, two?.id ?? 0)).toEqual([other])
    expect(await listVersionCommits(server.app.db, one?.id ?? 0)).toEqual([first])
    const { token } = server.root
    const ask = async (sha: string) => {
      const path = `/projects/${fixture.project.id}/repository/commits/${sha}/merge_requests`
      return (await server.inject('GET', path, { token })).body
    }
    expect(await ask(first)).toEqual([])
    expect(await ask(other)).toHaveLength(1)
  })

  it('adds a version and a note for each of several in a row, also if they lose commits', async () => {
    const heads = [first]
    for (const title of ['Second', 'Third', 'Fourth']) {
      heads.push(await fixture.commitTo('topic', {}, title))
      await fixture.push('topic')
    }
    await fixture.git('checkout', '--quiet', '-B', 'topic', 'main')
    heads.push(await fixture.commitTo('topic', { 'c.txt': 'c\n' }, 'Instead'))
    await fixture.push('topic')
    await server.runJobs()
    expect((await versions()).map(({ headSha }) => headSha)).toEqual(heads)
    expect(await show()).toMatchObject({ headSha: heads.at(-1) })
    expect(await remoteHead(fixture, request.iid)).toBe(heads.at(-1))
    const added = (await systemNotes()).filter((text) => text.startsWith('added 1 commit'))
    expect(added).toHaveLength(4)
  })

  it('adds no version for a push whose commits are gone', async () => {
    const second = await fixture.commitTo('topic', {}, 'Second')
    await fixture.push('topic')
    const gone = '1'.repeat(40)
    const update = { ref: 'refs/heads/topic', before: first, after: gone }
    const lost = { ...anyPush, projectId: fixture.project.id, updates: [update] }
    await refreshMergeRequests(server.app, lost, new AbortController().signal)
    expect((await versions()).map(({ headSha }) => headSha)).toEqual([first, second])
  })

  it('adds a version by the ghost user if a job left it and the user was deleted since', async () => {
    const user = await server.buildUser()
    await deleteUser(server, user.id)
    const second = await fixture.commitTo('topic', {}, 'Second')
    await fixture.push('topic')
    const update = { ref: 'refs/heads/topic', before: first, after: second }
    const renewals = [{ id: request.id, actorId: user.id }]
    const left = { ...anyPush, projectId: fixture.project.id, updates: [update], renewals }
    await refreshMergeRequests(server.app, left, new AbortController().signal)
    expect((await versions()).map(({ headSha }) => headSha)).toEqual([first, second])
  })

  it('cancels merge_when_pipeline_succeeds', async () => {
    await server.app.db.run('test.queue', { id: request.id }, (db, $) =>
      db
        .updateTable('mergeRequests')
        .set({ mergeWhenPipelineSucceeds: 1, mergeUserId: 1 })
        .where('id', '=', $('id')),
    )
    await fixture.commitTo('topic', {}, 'More')
    await push('topic')
    expect(await show()).toMatchObject({ mergeWhenPipelineSucceeds: 0, mergeUserId: null })
  })

  it('marks a conflict as cannot_be_merged_recheck until it is checked again', async () => {
    await fixture.commitTo('main', { 'b.txt': 'main\n' }, 'Clash')
    await push('main')
    const read = async () => {
      const { token } = server.root
      const path = `/projects/${fixture.project.id}/repository/commits/topic/merge_requests`
      return (await server.inject('GET', path, { token })).body[0].merge_status
    }
    expect(await read()).toBe('cannot_be_merged')
    expect((await show()).mergeStatus).toBe('cannot_be_merged')
    await fixture.commitTo('topic', { 'd.txt': 'd\n' }, 'More')
    await push('topic')
    expect((await show()).mergeStatus).toBe('cannot_be_merged_recheck')
    expect(await read()).toBe('cannot_be_merged')
    await fixture.git('merge', '--quiet', '-s', 'ours', '-m', 'Settle', 'main')
    await push('topic')
    expect(await read()).toBe('can_be_merged')
  })

  it.each(['fixup! First', 'wip: more'])(
    'adds the WIP prefix to the title for a commit %j',
    async (title) => {
      const before = await show()
      const sha = await fixture.commitTo('topic', {}, title)
      await fixture.commitTo('topic', {}, 'squash! later')
      await push('topic')
      expect(await show()).toMatchObject({ title: `WIP: ${before.title}`, workInProgress: 1 })
      const marked = `marked as a **Work In Progress** from ${sha}`
      expect((await systemNotes()).filter((text) => text.includes('Progress'))).toEqual([marked])
      await fixture.commitTo('topic', {}, title)
      await push('topic')
      expect((await systemNotes()).filter((text) => text.includes('Progress'))).toEqual([marked])
    },
  )

  it('adds no WIP prefix for commits that were there before, or are in the target', async () => {
    const { title } = await show()
    await fixture.commitTo('topic', {}, 'fixup! First')
    await push('topic')
    await server.app.db.run('test.title', { id: request.id, title }, (db, $) =>
      db
        .updateTable('mergeRequests')
        .set({ title: $('title'), workInProgress: 0 })
        .where('id', '=', $('id')),
    )
    await fixture.commitTo('main', {}, 'WIP in main')
    await fixture.mergeInto('topic', 'main')
    await push('main', 'topic')
    expect(await show()).toMatchObject({ title, workInProgress: 0 })
    expect((await versions()).length).toBeGreaterThan(2)
  })

  it('ignores closed merge requests', async () => {
    await push(':topic')
    expect((await show()).state).toBe('closed')
    const known = await versions()
    await fixture.commitTo('topic', {}, 'More')
    await push('topic')
    expect(await versions()).toEqual(known)
    expect(await show()).toMatchObject({ state: 'closed', headSha: first })
  })
})

describe('a push to the target branch', () => {
  it('adds a version that lists commits once', async () => {
    server.advance(1000)
    const before = await show()
    const main = await fixture.commitTo('main', { 'm.txt': 'm\n' }, 'Main')
    await push('main')
    const [one, two] = await versions()
    expect(two).toMatchObject({ headSha: first, startSha: main, baseSha: one?.baseSha })
    expect(two?.commitsVersionId).toBe(one?.id)
    expect(await listVersionCommits(server.app.db, two?.id ?? 0)).toEqual([first])
    const after = await show()
    expect(after).toMatchObject({ startSha: main, mergeStatus: 'unchecked', state: 'opened' })
    expect(after.updatedAt).toBe(before.updatedAt)
  })

  it('drops commits that reached the target in another way', async () => {
    const second = await fixture.commitTo('topic', { 'b.txt': 'c\n' }, 'Second')
    await push('topic')
    await fixture.git('checkout', '--quiet', 'main')
    await fixture.git('merge', '--quiet', '--ff-only', first)
    await push('main')
    const newest = (await versions()).at(-1)
    expect(newest).toMatchObject({ baseSha: first, startSha: first, headSha: second })
    expect(await listVersionCommits(server.app.db, newest?.id ?? 0)).toEqual([second])
    expect((await show()).state).toBe('opened')
  })

  it('keeps the merge request open when the branch is deleted', async () => {
    const other = await server.buildMergeRequest(fixture.project, 'topic', 'topic2').catch(() => 0)
    expect(other).toBe(0)
    await push('main:release')
    const { id } = await server.buildMergeRequest(fixture.project, 'topic', 'release')
    await push(':release')
    expect(await readRequest(server, id)).toMatchObject({
      state: 'opened',
      mergeStatus: 'unchecked',
    })
    const { token } = server.root
    const path = `/projects/${fixture.project.id}/repository/commits/topic/merge_requests`
    const { body } = await server.inject('GET', path, { token })
    const shown = body.find((entry: Json) => entry.id === id)
    expect(shown.merge_status).toBe('cannot_be_merged')
  })
})

describe('a push of the head to the target branch', () => {
  it('marks the merge request as merged by the pusher, with the merge commit', async () => {
    const early = await fixture.commitTo('main', { 'm.txt': 'm\n' }, 'Main')
    const merge = await fixture.mergeInto('main', 'topic')
    await fixture.commitTo('main', { 'm.txt': 'n\n' }, 'After')
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
    expect(await remoteHead(fixture, request.iid)).toBe(first)
  })

  it('finds no merge commit for a fast-forward', async () => {
    await push('topic:main')
    expect(await show()).toMatchObject({ state: 'merged', mergeCommitSha: null })
  })

  it('marks as merged also when the source is deleted or moved in the same push', async () => {
    const second = await fixture.commitTo('topic', { 'b.txt': 'c\n' }, 'Second')
    const merge = await fixture.mergeInto('main', 'topic')
    await push('topic', 'main')
    expect(await show()).toMatchObject({
      state: 'merged',
      headSha: second,
      mergeCommitSha: merge,
    })
    const third = await fixture.commitTo('a-branch', { 'a.txt': 'a\n' }, 'Third')
    await push('a-branch')
    const other = await server.buildMergeRequest(fixture.project, 'a-branch', 'main')
    await fixture.mergeInto('main', 'a-branch')
    await push(':a-branch', 'main')
    expect(await readRequest(server, other.id)).toMatchObject({ state: 'merged', headSha: third })
    expect(await events('closed')).toEqual([])
  })

  it('marks as merged in whatever order the pushes are processed', async () => {
    const second = await fixture.commitTo('topic', { 'b.txt': 'c\n' }, 'Second')
    const start = (await show()).startSha
    const merge = await fixture.mergeInto('main', 'topic')
    await fixture.push('topic')
    await fixture.push('main')
    const signal = new AbortController().signal
    const about = (ref: string, before: string, after: string) =>
      refreshMergeRequests(
        server.app,
        { ...anyPush, projectId: fixture.project.id, updates: [{ ref, before, after }] },
        signal,
      )
    await about('refs/heads/topic', first, second)
    expect(await show()).toMatchObject({ state: 'opened', headSha: second, startSha: start })
    await about('refs/heads/main', start, merge)
    expect(await show()).toMatchObject({ state: 'merged', mergeCommitSha: merge })
    await about('refs/heads/topic', first, second)
    expect((await versions()).length).toBe(2)
  })

  it('keeps a merge request without commits open', async () => {
    await push('main:same')
    const { id } = await server.buildMergeRequest(fixture.project, 'same', 'main')
    await fixture.commitTo('main', {}, 'More')
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

describe('a push to a branch with many merge requests', () => {
  /** Builds merge requests into `main`, pushes to it, and returns their ids and the new tip. */
  async function pushToMany(count: number) {
    const names = Array.from({ length: count }, (_, at) => `many-${at}`)
    await fixture.push(...names.map((name) => `topic:${name}`))
    await server.runJobs()
    const ids = [request.id]
    for (const name of names) {
      ids.push((await server.buildMergeRequest(fixture.project, name, 'main')).id)
    }
    await server.runJobs()
    const tip = await fixture.commitTo('main', { 'm.txt': 'm\n' }, 'More')
    await fixture.push('main')
    const renewed = async () => {
      const rows = await Promise.all(ids.map((id) => readRequest(server, id)))
      return rows.filter(({ startSha }) => startSha === tip).length
    }
    return { ids, tip, renewed }
  }

  it('updates so many, and leaves the rest to another job', async () => {
    const { ids, tip, renewed } = await pushToMany(3)
    const update = { ref: 'refs/heads/main', before: null, after: tip }
    const push = { ...anyPush, projectId: fixture.project.id, updates: [update] }
    const signal = new AbortController().signal
    const rest = await refreshMergeRequests(server.app, push, signal, 2)
    expect(await renewed()).toBe(2)
    expect(rest).toEqual({ ...push, renewals: ids.slice(2).map((id) => ({ id })) })
    if (rest === undefined) return
    const isLast = await refreshMergeRequests(server.app, rest, signal, 2)
    expect([isLast, await renewed()]).toEqual([undefined, ids.length])
    expect(await refreshMergeRequests(server.app, push, signal, ids.length)).toBeUndefined()
  })

  it('updates all of them in several jobs', async () => {
    const { ids, renewed } = await pushToMany(21)
    const countJobs = async () => {
      const jobs = await server.app.db.all('test.refreshJobs', {}, (db) =>
        db.selectFrom('jobs').where('kind', '=', 'merge-requests.refresh').select('state'),
      )
      return jobs.map(({ state }) => state)
    }
    const before = await countJobs()
    await server.runJobs()
    expect(await renewed()).toBe(ids.length)
    expect(await countJobs()).toEqual(new Array(before.length + 1).fill('done'))
  })
})

describe('a push that deletes the source branch', () => {
  it('closes the merge request on behalf of the pusher, and keeps its head', async () => {
    const pusher = await server.buildUser()
    await server.addMember(`projects/${fixture.project.id}`, pusher.id, 40)
    const path = `/projects/${fixture.project.id}/repository/branches/topic`
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
    expect(await remoteHead(fixture, request.iid)).toBe(first)
  })

  it('leaves a merge request that cannot be merged', async () => {
    expect(await readStatus()).toBe('can_be_merged')
    await push(':topic')
    expect(await readStatus()).toBe('cannot_be_merged')
  })

  it.each([
    ['source', 'topic'],
    ['target', 'stable'],
  ])('marks a closed merge request whose %s branch it was', async (_, branch) => {
    await push('main:stable')
    const path = `/projects/${fixture.project.id}/merge_requests/${request.iid}`
    const { token } = server.root
    const change = (body: object) => server.inject('PUT', path, { token, body })
    await change({ target_branch: 'stable' })
    expect(await readStatus()).toBe('can_be_merged')
    await change({ state_event: 'close' })
    await push('main:other')
    await push(':other')
    expect(await readStatus()).toBe('can_be_merged')
    await push(`:${branch}`)
    expect(await readStatus()).toBe('cannot_be_merged')
  })

  it('keeps it open when the branch was restored before the job ran', async () => {
    server.advance(1000)
    await fixture.push(':topic')
    server.advance(1000)
    await fixture.push('topic')
    await server.runJobs()
    expect((await show()).state).toBe('opened')
    const noted = ['deleted source branch `topic`', 'restored source branch `topic`']
    expect(await systemNotes()).toEqual(noted)
    const pushes = await recordedPushes()
    for (const push of [...pushes, ...pushes]) {
      await refreshMergeRequests(server.app, push, new AbortController().signal)
    }
    expect(await systemNotes()).toEqual(noted)
  })

  it('adds no note for the push that created the branch of a new merge request', async () => {
    await fixture.push('topic:fresh')
    server.advance(1000)
    const fresh = await server.buildMergeRequest(fixture.project, 'fresh', 'main')
    await server.runJobs()
    expect(await systemNotes(fresh.iid)).toEqual([])
  })
})
