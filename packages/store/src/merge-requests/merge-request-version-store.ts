import { createHash } from 'node:crypto'
import { isWorkInProgress, type MergeStatus } from '@stithy/core'
import type { Param, Queries, Transaction } from '../queries.ts'
import { toFlag } from '../schema/flag.ts'
import type { Row } from '../schema/schema.ts'
import { pick } from '../sql.ts'
import { touchStamp } from '../stamps.ts'

/** What a merge request would bring, at one moment. */
export interface NewVersion {
  headSha: string
  /** The merge base; null where the branches share no history. */
  baseSha: string | null
  /** The commit of the target branch. */
  startSha: string
  /** The commits that the target branch has not, newest first. */
  commits: readonly string[]
}

interface Place {
  mergeRequestId: number
  projectId: number
}

/** What goes with a new version into the row of its request. */
export interface VersionChange extends Place {
  /** The version that was the newest when this one was worked out. */
  afterVersionId: number
  version: NewVersion
  title: string
  mergeStatus: MergeStatus
  /** Milliseconds; the request counts as changed only where its head has moved. */
  now: number
}

/**
 * Gives an open merge request a new version. False, with nothing written, where it is open no more or
 * somebody else was faster.
 */
export async function addVersion(tx: Transaction, change: VersionChange): Promise<boolean> {
  const { mergeRequestId, projectId, version, now } = change
  const current = await lockVersion(tx, change)
  if (current === undefined) return false
  const place = { mergeRequestId, projectId }
  const versionId = await insertVersion(tx, place, version, now, current)
  const moved = current.headSha !== version.headSha
  const { headSha, baseSha, startSha } = version
  const { title, mergeStatus } = change
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
        ...(moved
          ? { updatedAt: $('now'), mergeWhenPipelineSucceeds: 0 as const, mergeUserId: null }
          : {}),
      })
      .where('id', '=', $('mergeRequestId')),
  )
  await touchStamp(tx, 'mergeRequests')
  return true
}

/** The newest version, where it still is the one that the change goes by; others wait from here on. */
async function lockVersion(
  tx: Transaction,
  { mergeRequestId, afterVersionId }: VersionChange,
): Promise<Row<'mergeRequestVersions'> | undefined> {
  const args = { mergeRequestId, afterVersionId }
  const { changes } = await tx.run('mergeRequests.lock', args, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({ latestVersionId: $('afterVersionId') })
      .where('id', '=', $('mergeRequestId'))
      .where('latestVersionId', '=', $('afterVersionId'))
      .where('state', '=', 'opened'),
  )
  return changes === 0 ? undefined : findVersion(tx, afterVersionId)
}

export function findVersion(
  q: Queries,
  id: number,
): Promise<Row<'mergeRequestVersions'> | undefined> {
  return q.first('mergeRequestVersions.find', { id }, (db, $) =>
    db
      .selectFrom('mergeRequestVersions')
      .where('id', '=', $('id'))
      .select([
        'id',
        'mergeRequestId',
        'headSha',
        'baseSha',
        'startSha',
        'commitCount',
        'commitsDigest',
        'commitsVersionId',
        'createdAt',
      ]),
  )
}

/** Whether a merge request has, or had, a version between these commits, by full hashes. */
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
 * Writes a version and answers its id. Its commits are written too, unless they are those of `previous`:
 * a target branch that moves on gives every open request a version, and nearly none another commit.
 */
export async function insertVersion(
  tx: Transaction,
  place: Place,
  version: NewVersion,
  now: number,
  previous?: Row<'mergeRequestVersions'>,
): Promise<number> {
  const { commits, ...shas } = version
  const commitsDigest = createHash('sha1').update(commits.join()).digest('hex')
  const commitCount = commits.length
  const { mergeRequestId } = place
  const args = { mergeRequestId, ...shas, commitCount, commitsDigest, createdAt: now }
  const names = ['mergeRequestId', 'headSha', 'baseSha', 'startSha'] as const
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
  if (same === undefined) await insertCommits(tx, { ...place, versionId: row.id }, commits)
  return row.id
}

/** Rows of one insert: few texts of queries, and few queries for many rows. */
const batches = [100, 10, 1] as const

async function insertCommits(
  tx: Transaction,
  place: Place & { versionId: number },
  commits: readonly string[],
): Promise<void> {
  let position = 0
  for (const size of batches) {
    for (; commits.length - position >= size; position += size) {
      await insertBatch(tx, place, commits.slice(position, position + size), position)
    }
  }
}

async function insertBatch(
  tx: Transaction,
  place: Place & { versionId: number },
  commits: readonly string[],
  position: number,
): Promise<void> {
  const args: Record<string, string | number> = { ...place }
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
