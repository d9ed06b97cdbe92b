import type { DeploymentOrder, DeploymentStatus } from '@stithy/core'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import { nextIid } from '../../platform/queries/iids.ts'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import { pick } from '../../platform/queries/sql.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'
import type { NewRow, Row, Schema } from '../../platform/schema/schema.ts'

/** A deployment with its environment. */
export interface DeploymentRow extends Row<'deployments'> {
  environmentName: string
  environmentSlug: string
  environmentUrl: string | null
}

/** A deployment to create. */
export type NewDeployment = Omit<NewRow<'deployments'>, 'id' | 'iid' | 'updatedAt'>

/** The filter of a list of deployments; times in milliseconds, inclusive. */
export interface DeploymentFilter {
  projectId: number
  /** The name of their environment. */
  environment?: string | undefined
  status?: DeploymentStatus | undefined
  updatedAfter?: number | undefined
  updatedBefore?: number | undefined
}

export interface DeploymentOrdering {
  by: DeploymentOrder
  direction: 'asc' | 'desc'
}

interface ListArgs {
  projectId: number
  environment?: string
  status?: DeploymentStatus
  updatedAfter?: number
  updatedBefore?: number
}

function describe(filter: DeploymentFilter): ListArgs {
  const { projectId, environment, status, updatedAfter, updatedBefore } = filter
  const args: ListArgs = { projectId }
  if (environment !== undefined) args.environment = environment
  if (status !== undefined) args.status = status
  if (updatedAfter !== undefined) args.updatedAfter = updatedAfter
  if (updatedBefore !== undefined) args.updatedBefore = updatedBefore
  return args
}

function fromDeployments(db: Kysely<Schema>, $: Param<ListArgs>, filters: ReadonlySet<string>) {
  const named = filters.has('environment')
  return (
    db
      .selectFrom('deployments')
      // An environment belongs to one project: the index of its deployments serves the order.
      .$if(!named, (query) => query.where('deployments.projectId', '=', $('projectId')))
      .$if(named, (query) =>
        query.where('deployments.environmentId', '=', (eb) =>
          eb
            .selectFrom('environments as named')
            .where('named.projectId', '=', $('projectId'))
            .where('named.name', '=', $('environment') as string)
            .select('named.id'),
        ),
      )
      .$if(filters.has('status'), (query) =>
        query.where('deployments.status', '=', $('status') as DeploymentStatus),
      )
      .$if(filters.has('updatedAfter'), (query) =>
        query.where('deployments.updatedAt', '>=', $('updatedAfter') as number),
      )
      .$if(filters.has('updatedBefore'), (query) =>
        query.where('deployments.updatedAt', '<=', $('updatedBefore') as number),
      )
  )
}

const orderColumns = {
  id: 'deployments.id',
  iid: 'deployments.iid',
  created_at: 'deployments.createdAt',
  ref: 'deployments.ref',
} as const satisfies Record<DeploymentOrder, string>

function withEnvironment<O>(query: SelectQueryBuilder<Schema, 'deployments', O>) {
  return query
    .innerJoin('environments', 'environments.id', 'deployments.environmentId')
    .selectAll('deployments')
    .select([
      'environments.name as environmentName',
      'environments.slug as environmentSlug',
      'environments.externalUrl as environmentUrl',
    ])
}

/** Lists a page of the deployments of a project. Two queries, and one for the stamp. */
export function listDeployments(
  q: Queries,
  filter: DeploymentFilter,
  { by, direction }: DeploymentOrdering,
  request: PageRequest,
): Promise<Page<DeploymentRow>> {
  const args = describe(filter)
  const filters = new Set(Object.keys(args))
  const countShape = `deployments.list|${[...filters].join()}`
  return listPage(q, request, {
    shape: `${countShape}|${by}|${direction}`,
    countShape,
    args,
    stamp: [stampOf('deployments', filter.projectId)],
    key: 'deployments.id',
    from: (db, $) => fromDeployments(db, $, filters),
    order: (query) => {
      const ordered = query.orderBy(orderColumns[by], direction)
      return by === 'id' || by === 'iid' ? ordered : ordered.orderBy('deployments.id', direction)
    },
    columns: withEnvironment,
  })
}

/** A deployment of a project by its id. */
export function findDeployment(
  q: Queries,
  args: { projectId: number; id: number },
): Promise<DeploymentRow | undefined> {
  return q.first('deployments.find', args, (db, $) =>
    withEnvironment(
      db
        .selectFrom('deployments')
        .where('deployments.id', '=', $('id'))
        .where('deployments.projectId', '=', $('projectId')),
    ),
  )
}

/** The newest successful deployment to an environment. */
export function findLastDeployment(
  q: Queries,
  environmentId: number,
): Promise<DeploymentRow | undefined> {
  const args = { environmentId, status: 'success' as const }
  return q.first('deployments.last', args, (db, $) =>
    withEnvironment(
      db
        .selectFrom('deployments')
        .where('deployments.environmentId', '=', $('environmentId'))
        .where('deployments.status', '=', $('status'))
        .orderBy('deployments.id', 'desc')
        .limit(1),
    ),
  )
}

/** Adds a deployment with the next iid of its project, and returns its id and its iid. */
export async function insertDeployment(
  tx: Transaction,
  deployment: NewDeployment,
): Promise<{ id: number; iid: number }> {
  const iid = await nextIid(tx, 'deployments', deployment.projectId)
  const row = await tx.first('deployments.insert', { ...deployment, iid }, (db, $) =>
    db
      .insertInto('deployments')
      .values({
        ...pick($, ['projectId', 'environmentId', 'iid', 'ref', 'tag', 'sha', 'status']),
        ...pick($, ['userId', 'jobId', 'createdAt']),
        updatedAt: $('createdAt'),
      })
      .returning(['deployments.id', 'deployments.iid']),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  touchStamp(tx, stampOf('deployments', deployment.projectId))
  return row
}

/** Changes the status of a deployment that still has the status `from`; false if it hasn't. */
export async function updateDeploymentStatus(
  tx: Transaction,
  change: Pick<Row<'deployments'>, 'id' | 'projectId' | 'status' | 'updatedAt'> & {
    from: DeploymentStatus
  },
): Promise<boolean> {
  const { changes } = await tx.run('deployments.updateStatus', change, (db, $) =>
    db
      .updateTable('deployments')
      .set(pick($, ['status', 'updatedAt']))
      .where('deployments.id', '=', $('id'))
      .where('deployments.status', '=', $('from')),
  )
  if (changes > 0) touchStamp(tx, stampOf('deployments', change.projectId))
  return changes > 0
}

/** Deletes up to `limit` deployments of an environment, oldest first; returns their iids. */
export async function deleteDeployments(
  tx: Transaction,
  { projectId, ...args }: { projectId: number; environmentId: number; limit: number },
): Promise<number[]> {
  const rows = await tx.all('deployments.delete', args, (db, $) =>
    db
      .deleteFrom('deployments')
      .where('deployments.id', 'in', (eb) =>
        eb
          .selectFrom('deployments as old')
          .where('old.environmentId', '=', $('environmentId'))
          .orderBy('old.id')
          .limit($('limit'))
          .select('old.id'),
      )
      .returning('deployments.iid'),
  )
  if (rows.length > 0) touchStamp(tx, stampOf('deployments', projectId))
  return rows.map(({ iid }) => iid)
}

/** Deletes up to `limit` deployments of a project; returns how many. */
export async function removeDeployments(
  tx: Transaction,
  args: { projectId: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('deployments.remove', args, (db, $) =>
    db
      .deleteFrom('deployments')
      .where('deployments.id', 'in', (eb) =>
        eb
          .selectFrom('deployments as old')
          .where('old.projectId', '=', $('projectId'))
          .limit($('limit'))
          .select('old.id'),
      ),
  )
  return changes
}
