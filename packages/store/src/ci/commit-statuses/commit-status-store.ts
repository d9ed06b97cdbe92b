import type { Kysely } from 'kysely'
import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import { pick } from '../../platform/queries/sql.ts'
import type { NewRow, Row, RowChanges, Schema } from '../../platform/schema/schema.ts'

/** A job or reported status with all its columns. */
export type CommitStatusRow = Row<'commitStatuses'>

/** A status to create. */
export type NewCommitStatus = Required<
  Omit<NewRow<'commitStatuses'>, 'id' | 'retried' | 'updatedAt'>
>

/** The filter of a commit's statuses; names match exactly. */
export interface CommitStatusFilter {
  projectId: number
  sha: string
  /** Includes statuses that a newer one replaced. */
  all: boolean
  ref?: string | undefined
  stage?: string | undefined
  name?: string | undefined
}

interface ListArgs {
  projectId: number
  sha: string
  ref?: string
  stage?: string
  name?: string
}

/** Lists one page of the statuses of a commit, oldest first. At most two queries. */
export async function listCommitStatuses(
  q: Queries,
  filter: CommitStatusFilter,
  request: PageRequest,
): Promise<Page<CommitStatusRow>> {
  const { args, shape } = describe(filter)
  const from = (db: Kysely<Schema>, $: Param<ListArgs>) => fromStatuses(db, $, filter)
  return listUncached(q, request, {
    shape: `statuses.list|${shape}`,
    args,
    key: 'commitStatuses.id',
    from,
    order: (query) => query.orderBy('commitStatuses.id'),
    columns: (query) => query.selectAll('commitStatuses'),
  })
}

function describe({ projectId, sha, all, ref, stage, name }: CommitStatusFilter) {
  const args: ListArgs = { projectId, sha }
  if (ref !== undefined) args.ref = ref
  if (stage !== undefined) args.stage = stage
  if (name !== undefined) args.name = name
  return { args, shape: [...Object.keys(args), ...(all ? [] : ['newest'])].join() }
}

function fromStatuses(
  db: Kysely<Schema>,
  $: Param<ListArgs>,
  { all, ref, stage, name }: CommitStatusFilter,
) {
  return db
    .selectFrom('commitStatuses')
    .where('commitStatuses.projectId', '=', $('projectId'))
    .where('commitStatuses.sha', '=', $('sha'))
    .$if(!all, (query) => query.where('commitStatuses.retried', '=', 0))
    .$if(ref !== undefined, (query) => query.where('commitStatuses.ref', '=', $('ref') as string))
    .$if(stage !== undefined, (query) =>
      query.where('commitStatuses.stage', '=', $('stage') as string),
    )
    .$if(name !== undefined, (query) =>
      query.where('commitStatuses.name', '=', $('name') as string),
    )
}

/** The newest reported status with a name in a pipeline. */
export function findReportedStatus(
  q: Queries,
  args: { pipelineId: number; name: string },
): Promise<CommitStatusRow | undefined> {
  return q.first('statuses.reported', args, (db, $) =>
    db
      .selectFrom('commitStatuses')
      .selectAll()
      .where('pipelineId', '=', $('pipelineId'))
      .where('retried', '=', 0)
      .where('name', '=', $('name'))
      .where('kind', '=', 'external')
      .orderBy('id', 'desc')
      .limit(1),
  )
}

/** Lists the jobs and statuses of a pipeline: the newest of each name, in the order of stages. */
export function listPipelineStatuses(q: Queries, pipelineId: number): Promise<CommitStatusRow[]> {
  return q.all('statuses.parts', { pipelineId }, (db, $) =>
    db
      .selectFrom('commitStatuses')
      .selectAll()
      .where('pipelineId', '=', $('pipelineId'))
      .where('retried', '=', 0)
      .orderBy('stageIndex')
      .orderBy('id'),
  )
}

const given = [
  'projectId',
  'pipelineId',
  'kind',
  'sha',
  'ref',
  'name',
  'stage',
  'stageIndex',
  'status',
  'allowFailure',
  'targetUrl',
  'description',
  'coverage',
  'failureReason',
  'userId',
  'createdAt',
  'startedAt',
  'finishedAt',
] as const

/** Adds a status and marks the older ones of its kind and name in the pipeline as retried. */
export async function insertCommitStatus(
  tx: Transaction,
  status: NewCommitStatus,
): Promise<CommitStatusRow> {
  await tx.run('statuses.retire', status, (db, $) =>
    db
      .updateTable('commitStatuses')
      .set({ retried: 1 })
      .where('pipelineId', '=', $('pipelineId'))
      .where('retried', '=', 0)
      .where('name', '=', $('name'))
      .where('kind', '=', $('kind')),
  )
  const row = await tx.first('statuses.insert', status, (db, $) =>
    db
      .insertInto('commitStatuses')
      .values({ ...pick($, given), updatedAt: $('createdAt') })
      .returningAll(),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/** The columns of a status that a report changes. */
export type CommitStatusChanges = Required<
  Pick<
    RowChanges<'commitStatuses'>,
    | 'status'
    | 'targetUrl'
    | 'description'
    | 'coverage'
    | 'failureReason'
    | 'startedAt'
    | 'finishedAt'
    | 'updatedAt'
  >
>

/** Updates a status and returns its row. */
export async function updateCommitStatus(
  tx: Transaction,
  id: number,
  changes: CommitStatusChanges,
): Promise<CommitStatusRow> {
  const row = await tx.first('statuses.update', { ...changes, id }, (db, $) =>
    db
      .updateTable('commitStatuses')
      .set(
        pick($, [
          'status',
          'targetUrl',
          'description',
          'coverage',
          'failureReason',
          'startedAt',
          'finishedAt',
          'updatedAt',
        ]),
      )
      .where('id', '=', $('id'))
      .returningAll(),
  )
  if (row === undefined) throw new TypeError('The status no longer exists')
  return row
}

/** Moves up to `limit` statuses from one user to another; returns how many. */
export async function moveCommitStatuses(
  tx: Transaction,
  args: { from: number; to: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('statuses.move', args, (db, $) =>
    db
      .updateTable('commitStatuses')
      .set({ userId: $('to') })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('commitStatuses')
          .select('commitStatuses.id')
          .where('commitStatuses.userId', '=', $('from'))
          .limit($('limit')),
      ),
  )
  return changes
}
