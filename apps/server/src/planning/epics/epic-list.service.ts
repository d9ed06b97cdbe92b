import type { Epic, EpicFilter } from '@stithy/core'
import { listEpics, type Page, type PageRequest } from '@stithy/store'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { itemRequest } from '../items/lists/item-request.ts'
import { epicFilter } from './epic-parameters.ts'
import { viewEpics } from './epic-views.service.ts'

/** Lists a page of the epics of a group and its subgroups that the caller may read. */
export async function loadEpicsPage(
  app: App,
  caller: Caller,
  { row: { id: groupId } }: GroupSubject,
  query: EpicFilter,
  page: PageRequest,
): Promise<Page<Epic>> {
  const filter = epicFilter(caller, query)
  const request = itemRequest(app, caller, { scope: { groupId }, filter }, query)
  const rows = await listEpics(app.db, request, page)
  return { ...rows, items: await viewEpics(app, caller, rows.items, query.max_description_length) }
}
