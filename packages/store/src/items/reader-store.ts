import type { CallerFacts } from '@stithy/core'
import { type ExpressionBuilder, sql } from 'kysely'
import { groupLevelColumn } from '../groups/group-finders.ts'
import type { ViewerArgs } from '../memberships.ts'
import { effectiveLevel, levelColumns, type ProjectLevels } from '../projects/project-access.ts'
import type { Param, Queries } from '../queries.ts'
import type { Schema } from '../schema/schema.ts'
import { inList } from '../sql.ts'

/** A user who could read something, with the level in the project or group that it is in. */
export interface ReaderRow {
  facts: CallerFacts & { userId: number }
  /** 0 for none. */
  level: number
}

interface Args {
  userIds: readonly number[]
  /** The project or group; 0 for neither. */
  placeId: number
  /** `YYYY-MM-DD` */
  today: string
}

const userColumns = ['u.id', 'u.admin', 'u.external'] as const

/** The users among those named who can act at all, with their levels in a project. One query. */
export async function listProjectReaders(
  q: Queries,
  { projectId, ...args }: { projectId: number; userIds: readonly number[]; today: string },
): Promise<ReaderRow[]> {
  const rows = await q.all('readers.project', { ...args, placeId: projectId }, (db, $) =>
    db
      .selectFrom('users as u')
      .crossJoin('projects as p')
      .innerJoin('namespaces as n', 'n.id', 'p.namespaceId')
      .where((eb) => inList(eb.ref('u.id'), $('userIds')))
      .where('u.state', '=', 'active')
      .where('u.kind', '=', 'human')
      .where('p.id', '=', $('placeId'))
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
  const rows = await q.all('readers.group', { ...args, placeId: groupId }, (db, $) =>
    db
      .selectFrom('users as u')
      .crossJoin('namespaces as n')
      .where((eb) => inList(eb.ref('u.id'), $('userIds')))
      .where('u.state', '=', 'active')
      .where('u.kind', '=', 'human')
      .where('n.id', '=', $('placeId'))
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

/** `listProjectReaders` for what is in no project or group. */
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

/** The sub-selects for one user, made for each user `u` of the query. */
function ofEach($: Param<Args>): Param<ViewerArgs> {
  const each = (name: keyof ViewerArgs) => (name === 'userId' ? sql.ref('u.id') : $(name))
  return each as unknown as Param<ViewerArgs>
}

function reader(row: { id: number; admin: number; external: number }, level: number): ReaderRow {
  const facts = { userId: row.id, admin: row.admin === 1, external: row.external === 1 }
  return { facts, level }
}
