import type { PipelineLife } from '@stithy/core'
import type { Queries, Transaction } from '../queries.ts'
import type { NewRow, Row } from '../schema/schema.ts'
import { pick } from '../sql.ts'

/** A pipeline with all its columns. */
export type PipelineRow = Row<'pipelines'>

/** What a commit shows of its newest pipeline. */
export type PipelineSummaryRow = Pick<PipelineRow, 'id' | 'ref' | 'sha' | 'status'>

/** A pipeline to be made. */
export type NewPipeline = Required<Omit<NewRow<'pipelines'>, 'id' | 'updatedAt'>>

/**
 * Makes all others wait who change the pipelines of the project, until the transaction ends. SQLite has
 * one writer anyway.
 */
export async function lockPipelines(tx: Transaction, projectId: number): Promise<void> {
  if (tx.dialect === 'sqlite') return
  // The kind of lock that rows which refer to the project do not wait for.
  await tx.all('pipelines.lock', { projectId }, (db, $) =>
    db
      .selectFrom('projects')
      .select('projects.id')
      .where('projects.id', '=', $('projectId'))
      .forNoKeyUpdate(),
  )
}

/** The newest pipeline of a commit, on whatever ref. */
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

/** A pipeline by its id, where it is one of this commit. */
export function findPipelineOf(
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

/** Makes a pipeline and answers all of it. */
export async function insertPipeline(tx: Transaction, pipeline: NewPipeline): Promise<PipelineRow> {
  const row = await tx.first('pipelines.insert', pipeline, (db, $) =>
    db
      .insertInto('pipelines')
      .values({ ...pick($, given), updatedAt: $('createdAt') })
      .returningAll(),
  )
  if (row === undefined) throw new TypeError('An insert answered no row')
  return row
}

/** Keeps what became of a pipeline. */
export async function savePipelineLife(
  tx: Transaction,
  id: number,
  life: PipelineLife,
  now: number,
): Promise<void> {
  await tx.run('pipelines.life', { ...life, id, now }, (db, $) =>
    db
      .updateTable('pipelines')
      .set(pick($, ['status', 'startedAt', 'finishedAt', 'duration']))
      .set({ updatedAt: $('now') })
      .where('pipelines.id', '=', $('id')),
  )
}

/** Gives up to `limit` pipelines of one user to another; answers how many. */
export async function movePipelines(
  tx: Transaction,
  args: { from: number; to: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('pipelines.move', args, (db, $) =>
    db
      .updateTable('pipelines')
      .set({ userId: $('to') })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('pipelines')
          .select('pipelines.id')
          .where('pipelines.userId', '=', $('from'))
          .limit($('limit')),
      ),
  )
  return changes
}
