import type { CallerFacts } from '@stithy/core'
import { type ExpressionBuilder, sql } from 'kysely'
import { groupLevelColumn } from '../../directory/groups/group-finders.ts'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import {
  effectiveLevel,
  levelColumns,
  type ProjectLevels,
} from '../../directory/projects/project-access.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'

/** A candidate reader of an item, with their level in its project or group. */
export interface ReaderRow {
  facts: CallerFacts & { userId: number }
  /** 0 for none. */
  level: number
}

interface Args {
  userIds: readonly number[]
  /** The project or group; 0 for neither. */
  scopeId: number
  /** `YYYY-MM-DD` */
  today: string
}

const userColumns = ['u.id', 'u.admin', 'u.external'] as const

/** Lists those of the users who are active, with their levels in a project. One query. */
export async function listProjectReaders(
  q: Queries,
  { projectId, ...args }: { projectId: number; userIds: readonly number[]; today: string },
): Promise<ReaderRow[]> {
  const rows = await q.all('readers.project', { ...args, scopeId: projectId }, (db, $) =>
    db
      .selectFrom('users as u')
      .crossJoin('projects as p')
      .innerJoin('namespaces as n', 'n.id', 'p.namespaceId')
      .where((eb) => inList(eb.ref('u.id'), $('userIds')))
      .where('u.state', '=', 'active')
      .where('u.kind', '=', 'human')
      .where('p.id', '=', $('scopeId'))
      .where('p.deletedAt', 'is', null)
      .select([...userColumns, 'n.ownerId as namespaceOwnerId'])
      .select((eb) => levelColumns(eb as unknown as Parameters<typeof levelColumns>[0], ofEach($))),
  )
  return rows.map((row) => reader(row, levelOf(row)))
}

function levelOf(row: ProjectLevels & { id: number; namespaceOwnerId: number | null }): number {
  return effectiveLevel(row, row.namespaceOwnerId, row.id)
}

/** `listProjectReaders` for a group. */
export async function listGroupReaders(
  q: Queries,
  { groupId, ...args }: { groupId: number; userIds: readonly number[]; today: string },
): Promise<ReaderRow[]> {
  const rows = await q.all('readers.group', { ...args, scopeId: groupId }, (db, $) =>
    db
      .selectFrom('users as u')
      .crossJoin('namespaces as n')
      .where((eb) => inList(eb.ref('u.id'), $('userIds')))
      .where('u.state', '=', 'active')
      .where('u.kind', '=', 'human')
      .where('n.id', '=', $('scopeId'))
      .where('n.deletedAt', 'is', null)
      .select(userColumns)
      .select((eb) =>
        groupLevelColumn(
          eb as unknown as ExpressionBuilder<Schema & { n: Schema['namespaces'] }, 'n'>,
          ofEach($),
        ),
      ),
  )
  return rows.map((row) => reader(row, row.level ?? 0))
}

/** `listProjectReaders` for items in no project or group. */
export async function listReaders(
  q: Queries,
  args: { userIds: readonly number[] },
): Promise<ReaderRow[]> {
  const rows = await q.all('readers.any', args, (db, $) =>
    db
      .selectFrom('users as u')
      .where((eb) => inList(eb.ref('u.id'), $('userIds')))
      .where('u.state', '=', 'active')
      .where('u.kind', '=', 'human')
      .select(userColumns),
  )
  return rows.map((row) => reader(row, 0))
}

/** The sub-selects for one user, correlated with each user `u` of the query. */
function ofEach($: Param<Args>): Param<ViewerArgs> {
  const each = (name: keyof ViewerArgs) => (name === 'userId' ? sql.ref('u.id') : $(name))
  return each as unknown as Param<ViewerArgs>
}

function reader(row: { id: number; admin: number; external: number }, level: number): ReaderRow {
  const facts = { userId: row.id, admin: row.admin === 1, external: row.external === 1 }
  return { facts, level }
}
