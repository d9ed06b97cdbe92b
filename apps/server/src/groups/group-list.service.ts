import type { CallerFacts, Group, groupsContract, QueryOf } from '@stithy/core'
import { listGroups, type Page, type PageRequest } from '@stithy/store'
import type { App } from '../app.ts'
import { dayOf } from '../members/day.ts'
import { attributeFilter } from '../projects/list/project-list.service.ts'
import { viewGroups } from './group-view.service.ts'

type GroupListQuery = QueryOf<typeof groupsContract.list>

/** A page of the groups that the caller may see, of all or directly below one. */
export async function pageOfGroups(
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
    ...reach(caller, query),
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
 * `owned` and `min_access_level` come before `all_available`, which is false unless asked for, and true
 * for administrators; without a token all public groups are listed (document 3, Groups).
 */
function reach(
  caller: CallerFacts,
  { owned, min_access_level: level, all_available: all }: GroupListQuery,
): { minLevel: number; authorized: boolean } {
  const minLevel = Math.max(owned ? 50 : 0, level ?? 0)
  const available = caller.userId === null || (all ?? caller.admin)
  return { minLevel, authorized: minLevel === 0 && !available }
}
