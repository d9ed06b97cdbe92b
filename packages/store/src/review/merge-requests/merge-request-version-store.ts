import { createHash } from 'node:crypto'
import {
  isWorkInProgress,
  type MergeStatus,
  type VersionFiles,
  withWorkInProgress,
} from '@stithy/core'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import { pick } from '../../platform/queries/sql.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'
import { toFlag } from '../../platform/schema/flag.ts'
import type { Row } from '../../platform/schema/schema.ts'
import { clearedAutoMerge } from './merge-request-status.ts'

/** A version of a merge request. */
export interface NewVersion extends VersionFiles {
  headSha: string
  /** The merge base; null where the branches share no history. */
  baseSha: string | null
  /** The commit of the target branch. */
  startSha: string
  /** The commits that are not in the target branch, newest first. */
  commits: readonly string[]
}

interface MergeRequestKey {
  mergeRequestId: number
  projectId: number
}

/** A new version and the columns of its merge request. */
export interface VersionChange extends MergeRequestKey {
  /** The newest version when this one was computed. */
  afterVersionId: number
  version: NewVersion
  /** Whether the title gets the work-in-progress prefix, unless it has it. */
  isUnfinished?: boolean | undefined
  mergeStatus: MergeStatus
  /** Milliseconds; `updatedAt` changes only if the head has moved. */
  now: number
}

/** A version that was added. */
interface AddedVersion {
  /** Whether the title got the work-in-progress prefix. */
  isMarked: boolean
}

/**
 * Adds a version to an open merge request. Undefined, with nothing written, if it is no longer open
 * or another process was first.
 */
export async function addVersion(
  tx: Transaction,
  change: VersionChange,
): Promise<AddedVersion | undefined> {
  const { mergeRequestId, projectId, version, now, isUnfinished = false } = change
  const locked = await lockVersion(tx, change)
  if (locked === undefined) return undefined
  const previous = await findVersion(tx, change.afterVersionId)
  const isMarked = isUnfinished && !isWorkInProgress(locked.title)
  const title = isMarked ? withWorkInProgress(locked.title) : locked.title
  const mergeRequest = { mergeRequestId, projectId }
  const versionId = await insertVersion(tx, mergeRequest, version, now, previous)
  const moved = previous?.headSha !== version.headSha
  const { headSha, baseSha, startSha } = version
  const { mergeStatus } = change
  const workInProgress = toFlag(isWorkInProgress(title))
  const args = { mergeRequestId, versionId, headSha, baseSha, startSha, title, workInProgress }
  const shape = `mergeRequests.version|${moved ? 'moved' : ''}`
  await tx.run(shape, { ...args, mergeStatus, now }, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({
        latestVersionId: $('versionId'),
        ...pick($, ['headSha', 'baseSha', 'startSha', 'mergeStatus']),
        ...pick($, ['title', 'workInProgress']),
        ...(moved ? { updatedAt: $('now'), ...clearedAutoMerge } : {}),
      })
      .where('id', '=', $('mergeRequestId')),
  )
  touchStamp(tx, stampOf('mergeRequests', projectId))
  return { isMarked }
}

/** Locks the merge request if its newest version is still the expected one; returns its title. */
function lockVersion(
  tx: Transaction,
  { mergeRequestId, afterVersionId }: VersionChange,
): Promise<{ title: string } | undefined> {
  const args = { mergeRequestId, afterVersionId }
  return tx.first('mergeRequests.lock', args, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({ latestVersionId: $('afterVersionId') })
      .where('id', '=', $('mergeRequestId'))
      .where('latestVersionId', '=', $('afterVersionId'))
      .where('state', '=', 'opened')
      .returning('title'),
  )
}

export function findVersion(
  q: Queries,
  id: number,
): Promise<Row<'mergeRequestVersions'> | undefined> {
  return q.first('mergeRequestVersions.find', { id }, (db, $) =>
    db.selectFrom('mergeRequestVersions').where('id', '=', $('id')).select(versionColumns),
  )
}

const versionColumns = [
  'mergeRequestVersions.id',
  'mergeRequestVersions.mergeRequestId',
  'mergeRequestVersions.headSha',
  'mergeRequestVersions.baseSha',
  'mergeRequestVersions.startSha',
  'mergeRequestVersions.commitCount',
  'mergeRequestVersions.commitsDigest',
  'mergeRequestVersions.commitsVersionId',
  'mergeRequestVersions.fileCount',
  'mergeRequestVersions.state',
  'mergeRequestVersions.createdAt',
] as const

/** Lists the versions of a merge request, newest first. */
export function listVersions(
  q: Queries,
  mergeRequestId: number,
  request: PageRequest,
): Promise<Page<Row<'mergeRequestVersions'>>> {
  return listPage(q, request, {
    shape: 'mergeRequestVersions.list',
    args: { mergeRequestId },
    stamp: undefined,
    key: 'mergeRequestVersions.id',
    from: (db, $) =>
      db.selectFrom('mergeRequestVersions').where('mergeRequestId', '=', $('mergeRequestId')),
    order: (query) => query.orderBy('mergeRequestVersions.id', 'desc'),
    columns: (query) => query.select(versionColumns),
  })
}

/** The number of a version among those of its merge request, from 1. */
export async function countVersions(
  q: Queries,
  args: { mergeRequestId: number; versionId: number },
): Promise<number> {
  const row = await q.first('mergeRequestVersions.number', args, (db, $) =>
    db
      .selectFrom('mergeRequestVersions')
      .where('mergeRequestId', '=', $('mergeRequestId'))
      .where('id', '<=', $('versionId'))
      .select((eb) => eb.fn.countAll<number>().as('count')),
  )
  return row?.count ?? 0
}

/** Whether a merge request has or had a version between these commits, by full hashes. */
export async function findVersionBetween(
  q: Queries,
  args: { mergeRequestId: number; baseSha: string; startSha: string; headSha: string },
): Promise<boolean> {
  const version = await q.first('mergeRequestVersions.between', args, (db, $) =>
    db
      .selectFrom('mergeRequestVersions')
      .where('mergeRequestId', '=', $('mergeRequestId'))
      .where('baseSha', '=', $('baseSha'))
      .where('startSha', '=', $('startSha'))
      .where('headSha', '=', $('headSha'))
      .select('id')
      .limit(1),
  )
  return version !== undefined
}

/** A page of the commits of a version, newest first. */
export async function listVersionCommitPage(
  q: Queries,
  { commitsVersionId, commitCount }: Row<'mergeRequestVersions'>,
  { page, perPage }: PageRequest,
): Promise<Page<string>> {
  const from = (page - 1) * perPage
  const args = { commitsVersionId, from, to: from + perPage }
  const rows = await q.all('mergeRequestVersions.commitPage', args, (db, $) =>
    db
      .selectFrom('mergeRequestCommits')
      .where('versionId', '=', $('commitsVersionId'))
      .where('position', '>=', $('from'))
      .where('position', '<', $('to'))
      .orderBy('position')
      .select('sha'),
  )
  return { items: rows.map((row) => row.sha), total: commitCount, page, perPage }
}

/** The commits of a version, newest first. */
export async function listVersionCommits(q: Queries, versionId: number): Promise<string[]> {
  const rows = await q.all('mergeRequestVersions.commits', { versionId }, (db, $) =>
    db
      .selectFrom('mergeRequestVersions')
      .innerJoin(
        'mergeRequestCommits',
        'mergeRequestCommits.versionId',
        'mergeRequestVersions.commitsVersionId',
      )
      .where('mergeRequestVersions.id', '=', $('versionId'))
      .orderBy('mergeRequestCommits.position')
      .select('mergeRequestCommits.sha'),
  )
  return rows.map((row) => row.sha)
}

/**
 * Inserts a version and returns its id. Its commits are inserted too, unless they are those of
 * `previous`: when a target branch moves, every open merge request gets a version, and nearly none
 * has other commits.
 */
export async function insertVersion(
  tx: Transaction,
  mergeRequest: MergeRequestKey,
  version: NewVersion,
  now: number,
  previous?: Row<'mergeRequestVersions'>,
): Promise<number> {
  const { commits, ...shas } = version
  const commitsDigest = createHash('sha1').update(commits.join()).digest('hex')
  const commitCount = commits.length
  const { mergeRequestId } = mergeRequest
  const args = { mergeRequestId, ...shas, commitCount, commitsDigest, createdAt: now }
  const names = ['mergeRequestId', 'headSha', 'baseSha', 'startSha', 'fileCount', 'state'] as const
  const row = await tx.first('mergeRequestVersions.insert', args, (db, $) =>
    db
      .insertInto('mergeRequestVersions')
      .values({ ...pick($, names), ...pick($, ['commitCount', 'commitsDigest', 'createdAt']) })
      .returning('id'),
  )
  if (row === undefined) throw new Error('The database gave no id')
  const same = previous?.commitsDigest === commitsDigest ? previous : undefined
  const commitsVersionId = same?.commitsVersionId ?? row.id
  await tx.run('mergeRequestVersions.commitsOf', { id: row.id, commitsVersionId }, (db, $) =>
    db
      .updateTable('mergeRequestVersions')
      .set({ commitsVersionId: $('commitsVersionId') })
      .where('id', '=', $('id')),
  )
  if (same === undefined) await insertCommits(tx, { ...mergeRequest, versionId: row.id }, commits)
  return row.id
}

/** Rows per insert: few query texts, and few queries for many rows. */
const batches = [100, 10, 1] as const

async function insertCommits(
  tx: Transaction,
  mergeRequest: MergeRequestKey & { versionId: number },
  commits: readonly string[],
): Promise<void> {
  let position = 0
  for (const size of batches) {
    for (; commits.length - position >= size; position += size) {
      await insertBatch(tx, mergeRequest, commits.slice(position, position + size), position)
    }
  }
}

async function insertBatch(
  tx: Transaction,
  mergeRequest: MergeRequestKey & { versionId: number },
  commits: readonly string[],
  position: number,
): Promise<void> {
  const args: Record<string, string | number> = { ...mergeRequest }
  for (const [index, sha] of commits.entries()) {
    args[`sha${index}`] = sha
    args[`position${index}`] = position + index
  }
  await tx.run(`mergeRequestCommits.insert|${commits.length}`, args, (db, $) => {
    const number = $ as Param<Record<string, number>>
    const text = $ as Param<Record<string, string>>
    const rows = commits.map((_, index) => ({
      ...pick(number, ['versionId', 'mergeRequestId', 'projectId']),
      position: number(`position${index}`),
      sha: text(`sha${index}`),
    }))
    return db.insertInto('mergeRequestCommits').values(rows as never)
  })
}
