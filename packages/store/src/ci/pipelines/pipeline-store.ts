import type { PipelineLifecycle } from '@stithy/core'
import { lockProject } from '../../directory/projects/project-lock.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList, pick } from '../../platform/queries/sql.ts'
import type { NewRow, Row } from '../../platform/schema/schema.ts'

/** A pipeline with all its columns. */
export type PipelineRow = Row<'pipelines'>

/** The newest pipeline of a commit as the commit shows it. */
export type PipelineSummaryRow = Pick<PipelineRow, 'id' | 'ref' | 'sha' | 'status'>

/** A pipeline to create. */
export type NewPipeline = Required<Omit<NewRow<'pipelines'>, 'id' | 'updatedAt'>>

/**
 * Locks the pipelines of a project against other writers until the transaction ends. SQLite has a
 * single writer anyway.
 */
export async function lockPipelines(tx: Transaction, projectId: number): Promise<void> {
  await lockProject(tx, projectId)
}

/** The newest pipeline of a commit, on any ref. */
export function findLastPipeline(
  q: Queries,
  args: { projectId: number; sha: string },
): Promise<PipelineSummaryRow | undefined> {
  return q.first('pipelines.last', args, (db, $) =>
    db
      .selectFrom('pipelines')
      .select(['pipelines.id', 'pipelines.ref', 'pipelines.sha', 'pipelines.status'])
      .where('pipelines.projectId', '=', $('projectId'))
      .where('pipelines.sha', '=', $('sha'))
      .orderBy('pipelines.id', 'desc')
      .limit(1),
  )
}

/** The newest pipeline of each of these commits that has one, on any ref. */
export function listLastPipelines(
  q: Queries,
  args: { projectId: number; shas: readonly string[] },
): Promise<PipelineSummaryRow[]> {
  return q.all('pipelines.lastOfEach', args, (db, $) => {
    const last = db
      .selectFrom('pipelines')
      .select((eb) => eb.fn.max('pipelines.id').as('id'))
      .where('pipelines.projectId', '=', $('projectId'))
      .where(inList('pipelines.sha', $('shas')))
      .groupBy('pipelines.sha')
    return db
      .selectFrom('pipelines')
      .select(['pipelines.id', 'pipelines.ref', 'pipelines.sha', 'pipelines.status'])
      .where('pipelines.id', 'in', last)
  })
}

/** The newest pipeline of a commit on a ref. */
export function findLastPipelineOn(
  q: Queries,
  args: { projectId: number; sha: string; ref: string },
): Promise<PipelineRow | undefined> {
  return q.first('pipelines.last-on', args, (db, $) =>
    db
      .selectFrom('pipelines')
      .selectAll()
      .where('pipelines.projectId', '=', $('projectId'))
      .where('pipelines.sha', '=', $('sha'))
      .where('pipelines.ref', '=', $('ref'))
      .orderBy('pipelines.id', 'desc')
      .limit(1),
  )
}

/** A pipeline by its id, if it belongs to this commit. */
export function findCommitPipeline(
  q: Queries,
  args: { projectId: number; sha: string; id: number },
): Promise<PipelineRow | undefined> {
  return q.first('pipelines.of-commit', args, (db, $) =>
    db
      .selectFrom('pipelines')
      .selectAll()
      .where('pipelines.id', '=', $('id'))
      .where('pipelines.projectId', '=', $('projectId'))
      .where('pipelines.sha', '=', $('sha')),
  )
}

const given = [
  'projectId',
  'ref',
  'sha',
  'beforeSha',
  'tag',
  'source',
  'status',
  'userId',
  'createdAt',
  'startedAt',
  'finishedAt',
  'duration',
] as const

/** Creates a pipeline and returns its row. */
export async function insertPipeline(tx: Transaction, pipeline: NewPipeline): Promise<PipelineRow> {
  const row = await tx.first('pipelines.insert', pipeline, (db, $) =>
    db
      .insertInto('pipelines')
      .values({ ...pick($, given), updatedAt: $('createdAt') })
      .returningAll(),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/** Stores the status and timestamps of a pipeline. */
export async function savePipelineStatus(
  tx: Transaction,
  id: number,
  life: PipelineLifecycle,
  now: number,
): Promise<void> {
  await tx.run('pipelines.saveStatus', { ...life, id, now }, (db, $) =>
    db
      .updateTable('pipelines')
      .set(pick($, ['status', 'startedAt', 'finishedAt', 'duration']))
      .set({ updatedAt: $('now') })
      .where('pipelines.id', '=', $('id')),
  )
}
