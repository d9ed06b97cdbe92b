import { versionFiles } from '@stithy/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listMergeRequestAssignees } from '../../planning/items/merge-request-finders.ts'
import { readStamps } from '../../platform/queries/stamps.ts'
import type { Row } from '../../platform/schema/schema.ts'
import {
  buildNamespace,
  buildProject,
  buildUser,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../../testing/index.ts'
import { buildMergeRequest, someSha } from '../../testing/merge-requests.ts'
import { listBranchesInUse, listOpenBySource, listOpenByTarget } from './merge-request-branches.ts'
import { listMergeRequestsOfCommit } from './merge-request-list.ts'
import { moveMergeRequests, removeMergeRequests } from './merge-request-removal.ts'
import { resetMergeCheck, saveMergeChecks } from './merge-request-status.ts'
import {
  closeMergeRequest,
  findMergeRequest,
  findMergeRequestById,
  type NewMergeRequest,
  saveMerge,
} from './merge-request-store.ts'
import { addVersion, findVersion, listVersionCommits } from './merge-request-version-store.ts'

let db: TestDatabase
let user: Row<'users'>
let project: Row<'projects'>
let fork: Row<'projects'>

beforeEach(async () => {
  db = await openTestDatabase()
  user = await buildUser(db)
  const group = await buildNamespace(db)
  project = await buildProject(db, group)
  fork = await buildProject(db, group)
})
afterEach(() => db.close())

const page = { page: 1, perPage: 20 }

const build = (overrides: Partial<NewMergeRequest> = {}, commits?: string[]) =>
  buildMergeRequest(db, project, user, overrides, commits)

async function find(id: number) {
  const row = await findMergeRequestById(db, id)
  if (row === undefined) throw new Error('it is gone')
  return row
}

/** Adds a version to a merge request, as a push would. */
async function renew(id: number, commits: string[], startSha = 'start', more: object = {}) {
  const row = await find(id)
  return db.transaction((tx) =>
    addVersion(tx, {
      mergeRequestId: id,
      projectId: row.projectId,
      afterVersionId: row.latestVersionId,
      version: {
        headSha: someSha(commits[0] ?? 'base'),
        baseSha: someSha('base'),
        startSha: someSha(startSha),
        ...versionFiles(1),
        commits: commits.map(someSha),
      },
      ...more,
      mergeStatus: 'unchecked',
      now: someTime + 1000,
    }),
  )
}

const ofCommit = async (name: string, projectId = project.id) => {
  const found = await listMergeRequestsOfCommit(db, { projectId, sha: someSha(name) }, page)
  return { ids: found.items.map(({ id }) => id), total: found.total }
}

describe('insertMergeRequest', () => {
  it('numbers from 1 in each project, without a gap after a rollback', async () => {
    expect((await build()).iid).toBe(1)
    await expect(build({ authorId: 999_999 })).rejects.toThrow()
    expect((await build()).iid).toBe(2)
    expect((await build({ projectId: fork.id })).iid).toBe(1)
    const many = await Promise.all([build(), build(), build()])
    expect(many.map(({ iid }) => iid).toSorted()).toEqual([3, 4, 5])
  })

  it('stores its values, with version 1', async () => {
    const other = await buildUser(db)
    const { id, iid } = await build(
      { title: 'WIP: Title', assigneeIds: [other.id, user.id, other.id], squash: 1 },
      ['c2', 'c1'],
    )
    const row = await findMergeRequest(db, { projectId: project.id, iid })
    expect(row).toMatchObject({
      id,
      state: 'opened',
      mergeStatus: 'unchecked',
      workInProgress: 1,
      headSha: someSha('c2'),
      baseSha: someSha('base'),
      startSha: someSha('start'),
      squash: 1,
      createdAt: someTime,
      updatedAt: someTime,
      projectFullPath: project.fullPath,
    })
    expect(await listVersionCommits(db, row?.latestVersionId ?? 0)).toEqual([
      someSha('c2'),
      someSha('c1'),
    ])
    expect(await listMergeRequestAssignees(db, [id])).toEqual([
      { mergeRequestId: id, userId: other.id },
      { mergeRequestId: id, userId: user.id },
    ])
    expect(await findMergeRequest(db, { projectId: fork.id, iid })).toBeUndefined()
  })

  it('stores thousands of commits in order', async () => {
    const names = Array.from({ length: 1234 }, (_, index) => `d${index}x`)
    const { id } = await build({}, names)
    const { latestVersionId } = await find(id)
    expect(await listVersionCommits(db, latestVersionId)).toEqual(names.map(someSha))
    expect(await findVersion(db, latestVersionId)).toMatchObject({ commitCount: 1234 })
    expect((await ofCommit('d1233x')).ids).toEqual([id])
  })
})

describe('listMergeRequestsOfCommit', () => {
  it('lists merge requests into the project whose newest version has the commit, newest first', async () => {
    const one = await build({}, ['c2', 'c1'])
    const two = await build({ sourceBranch: 'other' }, ['c1'])
    const elsewhere = await build({ projectId: fork.id }, ['c1'])
    expect(await ofCommit('c1')).toEqual({ ids: [two.id, one.id], total: 2 })
    expect(await ofCommit('c1', fork.id)).toEqual({ ids: [elsewhere.id], total: 1 })
    await renew(one.id, ['c3'])
    expect(await ofCommit('c1')).toEqual({ ids: [two.id], total: 1 })
    expect(await ofCommit('c3')).toEqual({ ids: [one.id], total: 1 })
    expect(await ofCommit('c9')).toEqual({ ids: [], total: 0 })
  })

  it('finds commits stored with an earlier version, page by page', async () => {
    const ids: number[] = []
    for (const branch of ['a', 'b', 'c']) ids.unshift((await build({ sourceBranch: branch })).id)
    await renew(ids[0] ?? 0, ['c1'], 'later')
    expect(await ofCommit('c1')).toEqual({ ids, total: 3 })
    const args = { projectId: project.id, sha: someSha('c1') }
    const second = await listMergeRequestsOfCommit(db, args, { page: 2, perPage: 2 })
    expect(second).toMatchObject({ total: 3, items: [{ id: ids[2] }] })
    const deep = await listMergeRequestsOfCommit(db, args, { page: 1000, perPage: 100 })
    expect(deep).toMatchObject({ total: 3, items: [] })
  })
})

describe('addVersion', () => {
  it('inserts the commits only if they changed', async () => {
    const { id } = await build({}, ['c2', 'c1'])
    const first = (await find(id)).latestVersionId
    expect(await renew(id, ['c2', 'c1'], 'later')).toEqual({ isMarked: false })
    const second = await findVersion(db, (await find(id)).latestVersionId)
    expect(second).toMatchObject({ commitsVersionId: first, startSha: someSha('later') })
    expect((await find(id)).updatedAt).toBe(someTime)
    await renew(id, ['c3', 'c2', 'c1'], 'later')
    const third = await findVersion(db, (await find(id)).latestVersionId)
    expect(third?.commitsVersionId).toBe(third?.id)
    expect(await find(id)).toMatchObject({ headSha: someSha('c3'), updatedAt: someTime + 1000 })
  })

  it('writes nothing if another version was first, or the merge request is not open', async () => {
    const { id } = await build()
    const stale = await find(id)
    await renew(id, ['c2'])
    const change = {
      mergeRequestId: id,
      projectId: project.id,
      afterVersionId: stale.latestVersionId,
      version: {
        headSha: someSha('c9'),
        baseSha: null,
        startSha: someSha('start'),
        ...versionFiles(0),
        commits: [],
      },
      isUnfinished: true,
      mergeStatus: 'unchecked' as const,
      now: someTime,
    }
    expect(await db.transaction((tx) => addVersion(tx, change))).toBeUndefined()
    expect(await find(id)).toMatchObject({ headSha: someSha('c2'), title: 'Title' })
    await db.transaction((tx) => closeMergeRequest(tx, { id, userId: null, now: someTime }))
    expect(await renew(id, ['c3'])).toBeUndefined()
  })

  it('adds the work-in-progress prefix to the title once', async () => {
    const { id } = await build()
    const unfinished = { isUnfinished: true }
    expect(await renew(id, ['c2'], 'start', unfinished)).toEqual({ isMarked: true })
    expect(await renew(id, ['c3'], 'start', unfinished)).toEqual({ isMarked: false })
    expect(await find(id)).toMatchObject({ title: 'WIP: Title', workInProgress: 1 })
  })
})

describe('closeMergeRequest and saveMerge', () => {
  it('succeed once, and touch the stamps of lists', async () => {
    const { id } = await build()
    const before = await readStamps(db, ['mergeRequests'])
    const close = { id, userId: user.id, now: someTime + 5 }
    const versionId = (await find(id)).latestVersionId
    const merge = { ...close, versionId, mergeCommitSha: someSha('m') }
    expect(await db.transaction((tx) => saveMerge(tx, { ...merge, versionId: 0 }))).toBe(false)
    expect(await db.transaction((tx) => closeMergeRequest(tx, close))).toBe(true)
    expect(await db.transaction((tx) => closeMergeRequest(tx, close))).toBe(false)
    expect(await db.transaction((tx) => saveMerge(tx, merge))).toBe(false)
    expect(await find(id)).toMatchObject({
      state: 'closed',
      closedById: user.id,
      closedAt: someTime + 5,
      updatedAt: someTime + 5,
      mergedAt: null,
    })
    expect(await readStamps(db, ['mergeRequests'])).not.toEqual(before)
    const other = await build()
    const newest = (await find(other.id)).latestVersionId
    const merging = { ...merge, id: other.id, versionId: newest }
    expect(await db.transaction((tx) => saveMerge(tx, merging))).toBe(true)
    expect(await find(other.id)).toMatchObject({
      state: 'merged',
      mergedById: user.id,
      mergedAt: someTime + 5,
      mergeCommitSha: someSha('m'),
    })
  })
})

describe('saveMergeChecks', () => {
  it('stores the result for the version that was checked', async () => {
    const [one, two, three] = [await build(), await build(), await build()]
    const check = async (id: number, canBeMerged: boolean) => {
      const { latestVersionId: versionId } = await find(id)
      return { id, versionId, canBeMerged }
    }
    const checks = [
      await check(one.id, true),
      await check(two.id, false),
      await check(three.id, true),
    ]
    await renew(three.id, ['c7'])
    await db.transaction((tx) => saveMergeChecks(tx, checks))
    const statuses = async () =>
      Promise.all([one, two, three].map(async ({ id }) => (await find(id)).mergeStatus))
    expect(await statuses()).toEqual(['can_be_merged', 'cannot_be_merged', 'unchecked'])
    const late = await check(one.id, false)
    await db.transaction((tx) => saveMergeChecks(tx, [late]))
    expect((await statuses())[0]).toBe('can_be_merged')
    for (const { id } of [one, two]) await resetMergeCheck(db, await find(id))
    expect(await statuses()).toEqual(['unchecked', 'cannot_be_merged_recheck', 'unchecked'])
  })
})

describe('open merge requests by branch', () => {
  it('are found by source and target, and give the branches in use', async () => {
    const own = await build({ sourceBranch: 'a', targetBranch: 'main' })
    const foreign = await build({
      sourceProjectId: fork.id,
      sourceBranch: 'a',
      targetBranch: 'dev',
    })
    const done = await build({ sourceBranch: 'gone', targetBranch: 'old' })
    const close = { id: done.id, userId: null, now: someTime }
    await db.transaction((tx) => closeMergeRequest(tx, close))
    const ids = (rows: { id: number }[]) => rows.map(({ id }) => id)
    const from = async (projectId: number, branch: string) =>
      ids(await listOpenBySource(db, { projectId, branch }))
    const into = async (projectId: number, branch: string) =>
      ids(await listOpenByTarget(db, { projectId, branch }))
    expect(await from(project.id, 'a')).toEqual([own.id])
    expect(await from(fork.id, 'a')).toEqual([foreign.id])
    expect(await from(project.id, 'gone')).toEqual([])
    expect(await into(project.id, 'dev')).toEqual([foreign.id])
    expect(await into(fork.id, 'dev')).toEqual([])
    const inUse = async (id: number) => (await listBranchesInUse(db, id)).toSorted()
    expect(await inUse(project.id)).toEqual(['a', 'dev', 'main'])
    expect(await inUse(fork.id)).toEqual(['a'])
  })
})

describe('a user who is deleted', () => {
  it('has their merge requests moved to another user, in batches', async () => {
    const ghost = await buildUser(db)
    const made = [await build(), await build(), await build()]
    const [one] = made
    const close = { id: one?.id ?? 0, userId: user.id, now: someTime }
    await db.transaction((tx) => closeMergeRequest(tx, close))
    const move = () =>
      db.transaction((tx) => moveMergeRequests(tx, { from: user.id, to: ghost.id, limit: 2 }))
    expect(await move()).toBe(2)
    expect(await move()).toBe(1)
    expect(await move()).toBe(0)
    for (const { id } of made) expect((await find(id)).authorId).toBe(ghost.id)
    expect((await find(one?.id ?? 0)).closedById).toBe(ghost.id)
  })

  it('has their merge requests deleted on a hard delete', async () => {
    const made = await build({}, ['c5'])
    const args = { userId: user.id, limit: 10 }
    expect(await db.transaction((tx) => removeMergeRequests(tx, args))).toBe(1)
    expect(await findMergeRequestById(db, made.id)).toBeUndefined()
    expect(await ofCommit('c5')).toEqual({ ids: [], total: 0 })
    const left = await db.all('test.commits', {}, (kysely) =>
      kysely.selectFrom('mergeRequestCommits').select('sha'),
    )
    expect(left).toEqual([])
  })
})
