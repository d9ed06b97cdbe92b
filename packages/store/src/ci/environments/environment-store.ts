import type { EnvironmentState } from '@stithy/core'
import type { Kysely } from 'kysely'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import { containing, matches, pick } from '../../platform/queries/sql.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'
import type { NewRow, Row, Schema } from '../../platform/schema/schema.ts'

/** An environment with all its columns. */
export type EnvironmentRow = Row<'environments'>

/** An environment to create. */
export type NewEnvironment = Omit<NewRow<'environments'>, 'id' | 'nameLower' | 'updatedAt'>

/** The filter of a list of environments. */
export interface EnvironmentFilter {
  projectId: number
  /** The whole name. */
  name?: string | undefined
  /** A part of the name; upper and lower case are the same. */
  search?: string | undefined
  state?: EnvironmentState | undefined
}

interface ListArgs {
  projectId: number
  name?: string
  pattern?: string
  state?: EnvironmentState
}

function describe({ projectId, name, search, state }: EnvironmentFilter): ListArgs {
  const args: ListArgs = { projectId }
  if (name !== undefined) args.name = name
  if (search !== undefined) args.pattern = containing(search.toLowerCase())
  if (state !== undefined) args.state = state
  return args
}

function fromEnvironments(db: Kysely<Schema>, $: Param<ListArgs>, filters: ReadonlySet<string>) {
  return db
    .selectFrom('environments')
    .where('environments.projectId', '=', $('projectId'))
    .$if(filters.has('name'), (query) => query.where('environments.name', '=', $('name') as string))
    .$if(filters.has('pattern'), (query) =>
      query.where(matches('environments.nameLower', $('pattern') as string)),
    )
    .$if(filters.has('state'), (query) =>
      query.where('environments.state', '=', $('state') as EnvironmentState),
    )
}

/** Lists a page of the environments of a project, oldest first. Two queries, and one for the stamp. */
export function listEnvironments(
  q: Queries,
  filter: EnvironmentFilter,
  request: PageRequest,
): Promise<Page<EnvironmentRow>> {
  const args = describe(filter)
  const filters = new Set(Object.keys(args))
  return listPage(q, request, {
    shape: `environments.list|${[...filters].join()}`,
    args,
    stamp: [stampOf('environments', filter.projectId)],
    key: 'environments.id',
    from: (db, $) => fromEnvironments(db, $, filters),
    order: (query) => query.orderBy('environments.id'),
    columns: (query) => query.selectAll('environments'),
  })
}

/** An environment of a project by its id. */
export function findEnvironment(
  q: Queries,
  args: { projectId: number; id: number },
): Promise<EnvironmentRow | undefined> {
  return q.first('environments.find', args, (db, $) =>
    db
      .selectFrom('environments')
      .selectAll()
      .where('environments.id', '=', $('id'))
      .where('environments.projectId', '=', $('projectId')),
  )
}

/** An environment of a project by its name. */
export function findEnvironmentByName(
  q: Queries,
  args: { projectId: number; name: string },
): Promise<EnvironmentRow | undefined> {
  return q.first('environments.named', args, (db, $) =>
    db
      .selectFrom('environments')
      .selectAll()
      .where('environments.projectId', '=', $('projectId'))
      .where('environments.name', '=', $('name')),
  )
}

/** Adds an environment; undefined if its name or its slug is taken in the project. */
export async function insertEnvironment(
  tx: Transaction,
  environment: NewEnvironment,
): Promise<EnvironmentRow | undefined> {
  const row = { ...environment, nameLower: environment.name.toLowerCase() }
  const inserted = await tx.first('environments.insert', row, (db, $) =>
    db
      .insertInto('environments')
      .values({
        ...pick($, ['projectId', 'name', 'nameLower', 'slug', 'externalUrl', 'state', 'createdAt']),
        updatedAt: $('createdAt'),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll(),
  )
  if (inserted !== undefined) touchStamp(tx, stampOf('environments', inserted.projectId))
  return inserted
}

/**
 * Updates the name and the address of an environment; undefined if it no longer exists.
 * @throws UniqueViolationError if the project has another one with this name.
 */
export async function updateEnvironment(
  tx: Transaction,
  change: Pick<EnvironmentRow, 'id' | 'name' | 'externalUrl' | 'updatedAt'>,
): Promise<EnvironmentRow | undefined> {
  const row = { ...change, nameLower: change.name.toLowerCase() }
  const updated = await tx.first('environments.update', row, (db, $) =>
    db
      .updateTable('environments')
      .set(pick($, ['name', 'nameLower', 'externalUrl', 'updatedAt']))
      .where('environments.id', '=', $('id'))
      .returningAll(),
  )
  if (updated !== undefined) touchLists(tx, updated.projectId)
  return updated
}

/** Changes the state of an environment, unless it is in that state already. */
export async function setEnvironmentState(
  tx: Transaction,
  { projectId, ...change }: Pick<EnvironmentRow, 'id' | 'projectId' | 'state' | 'updatedAt'>,
): Promise<void> {
  const { changes } = await tx.run('environments.setState', change, (db, $) =>
    db
      .updateTable('environments')
      .set(pick($, ['state', 'updatedAt']))
      .where('environments.id', '=', $('id'))
      .where('environments.state', '<>', $('state')),
  )
  if (changes > 0) touchStamp(tx, stampOf('environments', projectId))
}

/** Deletes an environment, with the deployments that are left of it. */
export async function deleteEnvironment(
  tx: Transaction,
  { id, projectId }: { id: number; projectId: number },
): Promise<void> {
  await tx.run('environments.delete', { id }, (db, $) =>
    db.deleteFrom('environments').where('environments.id', '=', $('id')),
  )
  touchLists(tx, projectId)
}

/** Deployments are filtered by the name of their environment. */
function touchLists(tx: Transaction, projectId: number): void {
  touchStamp(tx, stampOf('environments', projectId), stampOf('deployments', projectId))
}
