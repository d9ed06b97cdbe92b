import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeRefs } from '../../code/pushes/ref-change.service.ts'
import { actingUser } from '../../directory/authentication/acting-user.ts'
import { loadProject } from '../../directory/projects/project-subject.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import { deleteUser } from '../../testing/delete-user.ts'
import { buildMergeFixture, type MergeFixture } from '../../testing/git/merge-fixture.ts'
import { readEvents } from '../../testing/merge-requests.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { createMergeCommits } from './merge-commits.service.ts'
import { abandonMerge, finishMerge, lockMerge } from './merge-settle.service.ts'
import { reconcileMerges } from './merging.jobs.ts'
import type { PendingMerge } from './pending-merge.ts'

let server: TestServer
let fixture: MergeFixture

beforeAll(async () => {
  server = await buildTestServer()
})
beforeEach(async () => {
  fixture = await buildMergeFixture(server)
})
afterAll(() => server.close())

/** A merge up to the lock, as its process leaves it when it is killed there. */
async function lock(): Promise<{
  item: MergeRequestItem
  pending: PendingMerge
  move(): Promise<void>
}> {
  const { app } = server
  const caller = await actingUser(app, fixture.user.id)
  const project = caller && (await loadProject(app, String(fixture.project.id), caller))
  if (caller === undefined || project === undefined) throw new Error('no project')
  const row = await fixture.row()
  const item = { type: 'merge_request', row, project, assigneeIds: [] } as const
  const before = await fixture.tip('main')
  const made = await createMergeCommits(app, caller, item, { targetSha: before, squash: false })
  if (made.oid === undefined) throw new Error('a conflict')
  const pending: PendingMerge = {
    key: randomUUID(),
    userId: fixture.user.id,
    before,
    after: made.oid,
    mergeCommitSha: made.mergeCommit,
  }
  const locks = { shouldRemoveSourceBranch: 1, squash: 0 } as const
  await lockMerge(app, item, pending, locks)
  const updates = [{ ref: 'refs/heads/main', before, after: made.oid }]
  const move = () => changeRefs(app, { subject: project, caller, updates, merging: true })
  return { item: { ...item, row: { ...row, ...locks } }, pending, move }
}

async function restart(): Promise<void> {
  await reconcileMerges(server.app)
  await server.runJobs()
}

async function expectMerged(): Promise<void> {
  expect(await fixture.row()).toMatchObject({
    state: 'merged',
    pendingMerge: null,
    mergeCommitSha: await fixture.tip('main'),
    mergedById: fixture.user.id,
  })
  // The message of the merge commit mentions the merge request, too.
  const notes = await fixture.notes()
  expect(notes.filter((text) => !text.startsWith('mentioned in commit'))).toEqual(['merged'])
  expect(await readEvents(server, fixture.project.id, 'merged')).toHaveLength(1)
  expect(await fixture.tip('topic')).toBe('')
}

describe('a locked merge request', () => {
  it('is shown as locked, and can neither be merged, closed nor rebased', async () => {
    await lock()
    expect((await fixture.call('GET', '')).body.state).toBe('locked')
    expect((await fixture.call('PUT', '/merge')).status).toBe(405)
    expect((await fixture.call('PUT', '/rebase')).status).toBe(409)
    const { body } = await fixture.call('PUT', '', { state_event: 'close' })
    expect(body.state).toBe('locked')
  })

  it('is opened again after a crash before the target branch moved, and catches up', async () => {
    const main = await fixture.tip('main')
    await lock()
    const head = await fixture.commitTo('topic', { 'd.txt': 'd' }, 'Third')
    await fixture.push('topic')
    await server.runJobs()
    expect((await fixture.row()).state).toBe('locked')
    await restart()
    expect(await fixture.row()).toMatchObject({
      state: 'opened',
      pendingMerge: null,
      headSha: head,
      mergeError: null,
    })
    expect(await fixture.tip('main')).toBe(main)
    expect((await fixture.call('PUT', '/merge')).body.state).toBe('merged')
  })

  it('is merged after a crash when the target branch had moved', async () => {
    const { move } = await lock()
    await move()
    await server.runJobs()
    expect((await fixture.row()).state).toBe('locked')
    await restart()
    await expectMerged()
    await restart()
    await expectMerged()
  })

  it('is merged after a crash even if others pushed to the target since', async () => {
    const { move, pending } = await lock()
    await move()
    await fixture.git('fetch', '--quiet', fixture.remote, 'main')
    await fixture.git('checkout', '--quiet', '-B', 'main', 'FETCH_HEAD')
    await fixture.commitTo('main', { 'm.txt': 'm' }, 'Main')
    await fixture.push('main')
    await restart()
    const merged = { state: 'merged', mergeCommitSha: pending.after }
    expect(await fixture.row()).toMatchObject(merged)
  })

  it('is settled by a job in time, without a restart', async () => {
    const { move } = await lock()
    await move()
    server.advance(120_000)
    await server.runJobs()
    await expectMerged()
  })

  it('is merged once if a job and the process settle it at the same time', async () => {
    const { item, pending, move } = await lock()
    await move()
    await Promise.all([restart(), finishMerge(server.app, { item, pending, removalDelayMs: 0 })])
    await server.runJobs()
    await expectMerged()
  })

  it('is merged by the ghost user if the user who merged it was deleted', async () => {
    const { move } = await lock()
    await move()
    await deleteUser(server, fixture.user.id)
    await restart()
    const { body } = await fixture.call('GET', '', undefined, server.root.token)
    expect(body).toMatchObject({ state: 'merged', merged_by: { username: 'ghost' } })
  })

  it('is merged if a job was early and opened it while git moved the branch', async () => {
    const { item, pending, move } = await lock()
    await abandonMerge(server.app, { id: item.row.id, pending, mergeError: null })
    await move()
    await finishMerge(server.app, { item, pending, removalDelayMs: 0 })
    await server.runJobs()
    await expectMerged()
  })
})
