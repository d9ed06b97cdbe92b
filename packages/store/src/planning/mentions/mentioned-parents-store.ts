import { sql } from 'kysely'
import { groupLevelColumn } from '../../directory/groups/group-finders.ts'
import { fromGroups, type GroupRow, groupColumns } from '../../directory/groups/group-row.ts'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import { levelColumns, type ProjectLevels } from '../../directory/projects/project-access.ts'
import { fromProjects, fullColumns, type ProjectRow } from '../../directory/projects/project-row.ts'
import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'

/** Lower-cased full paths, and the viewer. */
export type MentionedParents = ViewerArgs & { paths: readonly string[] }

/** Lists the existing projects with these paths, with the levels of one user in them. One query. */
export function listMentionedProjects(
  q: Queries,
  args: MentionedParents,
): Promise<(ProjectRow & ProjectLevels)[]> {
  return q.all('named.projects', args, (db, $) =>
    fromProjects(db)
      .where((eb) => inList(eb.ref('p.fullPathLower'), $('paths')))
      .select(fullColumns)
      .select((eb) => levelColumns(eb as unknown as Parameters<typeof levelColumns>[0], $)),
  )
}

/** Lists the existing groups with these paths, with the level of one user in them. One query. */
export function listMentionedGroups(
  q: Queries,
  args: MentionedParents,
): Promise<(GroupRow & { level: number | null })[]> {
  return q.all('named.groups', args, (db, $) =>
    fromGroups(db)
      .where((eb) => inList(eb.ref('n.fullPathLower'), $('paths')))
      .select(groupColumns)
      .select((eb) => groupLevelColumn(eb as unknown as Parameters<typeof groupLevelColumn>[0], $)),
  )
}

const numbered = { issue: 'issues', merge_request: 'mergeRequests', epic: 'epics' } as const

/** An item by its project or group, and its iid. */
export interface ItemNumber {
  scopeId: number
  iid: number
}

/** Lists the ids of items by parent and iid; those that don't exist are left out. One query. */
export async function listItemIds(
  q: Queries,
  type: keyof typeof numbered,
  named: readonly ItemNumber[],
): Promise<number[]> {
  const keys = new Set(named.map(keyOf))
  const args = {
    scopeIds: [...new Set(named.map(({ scopeId }) => scopeId))],
    iids: [...new Set(named.map(({ iid }) => iid))],
  }
  const table = numbered[type]
  const parentColumn = type === 'epic' ? 'groupId' : 'projectId'
  const rows = await q.all(`named.${type}`, args, (db, $) =>
    db
      .selectFrom(table)
      .where(inList(sql.ref(`${table}.${parentColumn}`), $('scopeIds')))
      .where(inList(sql.ref(`${table}.iid`), $('iids')))
      .select([
        sql.ref<number>(`${table}.id`).as('id'),
        sql.ref<number>(`${table}.${parentColumn}`).as('scopeId'),
        sql.ref<number>(`${table}.iid`).as('iid'),
      ]),
  )
  return rows.filter((row) => keys.has(keyOf(row))).map((row) => row.id)
}

function keyOf({ scopeId, iid }: ItemNumber): string {
  return `${scopeId}/${iid}`
}
