import { sql } from 'kysely'
import { groupLevelColumn } from '../groups/group-finders.ts'
import { fromGroups, type GroupRow, groupColumns } from '../groups/group-row.ts'
import type { ViewerArgs } from '../memberships.ts'
import { levelColumns, type ProjectLevels } from '../projects/project-access.ts'
import { fromProjects, fullColumns, type ProjectRow } from '../projects/project-row.ts'
import type { Queries } from '../queries.ts'
import { inList } from '../sql.ts'

/** Which places, by their full paths in lower case, and for whom. */
export type NamedPlaces = ViewerArgs & { paths: readonly string[] }

/** The projects of these paths that are there, with the levels of one user in them. One query. */
export function listNamedProjects(
  q: Queries,
  args: NamedPlaces,
): Promise<(ProjectRow & ProjectLevels)[]> {
  return q.all('named.projects', args, (db, $) =>
    fromProjects(db)
      .where((eb) => inList(eb.ref('p.fullPathLower'), $('paths')))
      .select(fullColumns)
      .select((eb) => levelColumns(eb as unknown as Parameters<typeof levelColumns>[0], $)),
  )
}

/** The groups of these paths that are there, with the level of one user in them. One query. */
export function listNamedGroups(
  q: Queries,
  args: NamedPlaces,
): Promise<(GroupRow & { level: number | null })[]> {
  return q.all('named.groups', args, (db, $) =>
    fromGroups(db)
      .where((eb) => inList(eb.ref('n.fullPathLower'), $('paths')))
      .select(groupColumns)
      .select((eb) => groupLevelColumn(eb as unknown as Parameters<typeof groupLevelColumn>[0], $)),
  )
}

const numbered = { issue: 'issues', merge_request: 'mergeRequests', epic: 'epics' } as const

/** An item by the project or group that it is in, and its number there. */
export interface ItemNumber {
  placeId: number
  iid: number
}

/** The ids of items that are named by place and number; those that are not there are left out. One query. */
export async function listItemIds(
  q: Queries,
  type: keyof typeof numbered,
  named: readonly ItemNumber[],
): Promise<number[]> {
  const wanted = new Set(named.map(keyOf))
  const args = {
    placeIds: [...new Set(named.map(({ placeId }) => placeId))],
    iids: [...new Set(named.map(({ iid }) => iid))],
  }
  const table = numbered[type]
  const place = type === 'epic' ? 'groupId' : 'projectId'
  const rows = await q.all(`named.${type}`, args, (db, $) =>
    db
      .selectFrom(table)
      .where(inList(sql.ref(`${table}.${place}`), $('placeIds')))
      .where(inList(sql.ref(`${table}.iid`), $('iids')))
      .select([
        sql.ref<number>(`${table}.id`).as('id'),
        sql.ref<number>(`${table}.${place}`).as('placeId'),
        sql.ref<number>(`${table}.iid`).as('iid'),
      ]),
  )
  return rows.filter((row) => wanted.has(keyOf(row))).map((row) => row.id)
}

function keyOf({ placeId, iid }: ItemNumber): string {
  return `${placeId}/${iid}`
}
