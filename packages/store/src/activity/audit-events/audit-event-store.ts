import type { AuditEntityType } from '@stithy/core'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import { asBigint, asText, inList, unindexed } from '../../platform/queries/sql.ts'
import type { NewRow, Row, Schema } from '../../platform/schema/schema.ts'

/** A stored audit event. */
export type AuditEventRow = Row<'auditEvents'>

/** Which events are listed; times in milliseconds since the epoch, both inclusive. */
export interface AuditEventFilter {
  entityType?: AuditEntityType | undefined
  /** Needs `entityType`. */
  entityId?: number | undefined
  createdAfter?: number | undefined
  createdBefore?: number | undefined
}

interface Args {
  entityType: AuditEntityType
  entityId: number
  from: number
  until: number
}

type Select = SelectQueryBuilder<Schema, 'auditEvents', object>

/** What varies in the query's text. */
function kindOf({ entityType, entityId }: AuditEventFilter): 'all' | 'type' | 'entity' {
  if (entityType === undefined) return 'all'
  return entityId === undefined ? 'type' : 'entity'
}

function argsOf(filter: AuditEventFilter): Args {
  return {
    entityType: filter.entityType ?? 'User',
    entityId: filter.entityId ?? 0,
    from: filter.createdAfter ?? 0,
    until: filter.createdBefore ?? Number.MAX_SAFE_INTEGER,
  }
}

function matching(db: Kysely<Schema>, $: Param<Args>, kind: ReturnType<typeof kindOf>): Select {
  const events = db
    .selectFrom('auditEvents')
    .where('auditEvents.createdAt', '>=', $('from'))
    .where('auditEvents.createdAt', '<=', $('until'))
  if (kind === 'all') return events
  if (kind === 'type') return events.where('auditEvents.entityType', '=', $('entityType'))
  // Few entities of different types share an id.
  return events
    .where('auditEvents.entityId', '=', $('entityId'))
    .where(unindexed<AuditEntityType>('auditEvents.entityType'), '=', $('entityType'))
}

/** One page of audit events, newest first. Two queries. */
export function listAuditEvents(
  q: Queries,
  filter: AuditEventFilter,
  request: PageRequest,
): Promise<Page<AuditEventRow>> {
  const kind = kindOf(filter)
  return listPage(q, request, {
    shape: `audit-events.list|${kind}`,
    args: argsOf(filter),
    key: 'auditEvents.id',
    stamp: undefined,
    from: (db, $) => matching(db, $, kind),
    order: (query) =>
      query.orderBy('auditEvents.createdAt', 'desc').orderBy('auditEvents.id', 'desc'),
    columns: (query) => query.selectAll('auditEvents'),
  })
}

/** An audit event by its id, within a filter of its entity. */
export function findAuditEvent(
  q: Queries,
  id: number,
  filter: Pick<AuditEventFilter, 'entityType' | 'entityId'> = {},
): Promise<AuditEventRow | undefined> {
  const kind = kindOf(filter)
  return q.first(`audit-events.find|${kind}`, { ...argsOf(filter), id }, (db, $) => {
    const found = db.selectFrom('auditEvents').where('auditEvents.id', '=', $('id'))
    if (kind === 'all') return found.selectAll()
    return found
      .where('auditEvents.entityType', '=', $('entityType'))
      .where('auditEvents.entityId', '=', $('entityId'))
      .selectAll()
  })
}

/** What all columns of an event but its entity are. */
export type AuditEventAct = Required<
  Pick<NewRow<'auditEvents'>, 'authorId' | 'details' | 'createdAt'>
>

/** Adds an audit event. */
export async function insertAuditEvent(
  tx: Transaction,
  event: AuditEventAct & AuditedEntity,
): Promise<void> {
  await tx.run('audit-events.insert', event, (db, $) =>
    db.insertInto('auditEvents').values({
      authorId: $('authorId'),
      entityType: $('entityType'),
      entityId: $('entityId'),
      entityPath: $('entityPath'),
      details: $('details'),
      createdAt: $('createdAt'),
    }),
  )
}

/** Adds an audit event for each of some groups or projects, which may be thousands. One query. */
export async function insertAuditEventsOf(
  tx: Transaction,
  entityType: 'Group' | 'Project',
  act: AuditEventAct & { ids: readonly number[] },
): Promise<void> {
  const table = entityType === 'Group' ? 'namespaces' : 'projects'
  await tx.run(`audit-events.insert|${table}`, { ...act, entityType }, (db, $) =>
    db
      .insertInto('auditEvents')
      .columns(['authorId', 'entityType', 'entityId', 'entityPath', 'details', 'createdAt'])
      .expression(
        db
          .selectFrom(table)
          .where(inList(`${table}.id`, $('ids')))
          .select([
            asBigint($('authorId')).as('authorId'),
            asText($('entityType')).as('entityType'),
            `${table}.id as entityId`,
            `${table}.fullPath as entityPath`,
            asText($('details')).as('details'),
            asBigint($('createdAt')).as('createdAt'),
          ] as never) as never,
      ),
  )
}

/** What an event is filed under. */
export interface AuditedEntity {
  entityType: AuditEntityType
  entityId: number
  entityPath: string
}

/** A user, group or project as events name it; undefined if there is none. One query. */
export async function findAuditedEntity(
  q: Queries,
  entityType: AuditEntityType,
  id: number,
): Promise<AuditedEntity | undefined> {
  const path = await findPath(q, entityType, id)
  return path === undefined ? undefined : { entityType, entityId: id, entityPath: path }
}

async function findPath(q: Queries, type: AuditEntityType, id: number) {
  if (type === 'User') {
    const user = await q.first('audit-events.user', { id }, (db, $) =>
      db.selectFrom('users').where('users.id', '=', $('id')).select('users.username'),
    )
    return user?.username
  }
  const table = type === 'Group' ? 'namespaces' : 'projects'
  const row = await q.first(`audit-events.path|${table}`, { id }, (db, $) =>
    db.selectFrom(table).where(`${table}.id`, '=', $('id')).select(`${table}.fullPath`),
  )
  return row?.fullPath
}

/** The name of a user; undefined if there is none. One query. */
export async function findAuthorName(q: Queries, id: number): Promise<string | undefined> {
  const row = await q.first('audit-events.author', { id }, (db, $) =>
    db.selectFrom('users').where('users.id', '=', $('id')).select('users.name'),
  )
  return row?.name
}
