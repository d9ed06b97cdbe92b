import type { CallerFacts, Group, groupsContract, QueryOf } from '@stithy/core'
import { listGroups, type Page, type PageRequest } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { attributeFilter } from '../projects/list/project-list.service.ts'
import { viewGroups } from './group-view.service.ts'

type GroupListQuery = QueryOf<typeof groupsContract.list>

/** Lists the groups visible to the caller: all of them, or the children of one. */
export async function loadGroupsPage(
  app: App,
  caller: CallerFacts,
  parentId: number | undefined,
  query: GroupListQuery,
  page: PageRequest,
): Promise<Page<Group>> {
  const request = {
    caller,
    today: dayOf(app.now()),
    parentId,
    skip: query.skip_groups,
    ...accessFilter(caller, query),
    search: query.search,
    customAttributes: attributeFilter(caller, query.custom_attributes),
    idAfter: query.id_after,
    idBefore: query.id_before,
    orderBy: query.order_by,
    sort: query.sort,
  }
  const rows = await listGroups(app.db, request, page)
  const options = {
    statistics: query.statistics,
    customAttributes: query.with_custom_attributes,
  }
  return { ...rows, items: await viewGroups(app, caller, rows.items, options) }
}

/**
 * `owned` and `min_access_level` take precedence over `all_available`, which defaults to false, and
 * to true for administrators; without a token all public groups are listed.
 */
function accessFilter(
  caller: CallerFacts,
  { owned, min_access_level: level, all_available: all }: GroupListQuery,
): { minLevel: number; authorized: boolean } {
  const minLevel = Math.max(owned ? 50 : 0, level ?? 0)
  const available = caller.userId === null || (all ?? caller.admin)
  return { minLevel, authorized: minLevel === 0 && !available }
}
