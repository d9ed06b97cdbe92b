import type { Page, PageRequest } from '../../platform/queries/page.ts'
import type { Queries } from '../../platform/queries/queries.ts'
import type { EpicListRequest } from '../items/lists/work-item-filter.ts'
import { listGroupItems } from '../items/lists/work-item-list.ts'
import type { EpicTable } from '../items/lists/work-item-table.ts'
import { type EpicRow, listedEpicColumns } from './epic-row.ts'
import { visibleEpics } from './epic-visibility.ts'

/** The table of epics, as lists need it. */
export const epicTable: EpicTable = {
  name: 'epics',
  type: 'epic',
  owner: { column: 'groupId', table: 'namespaces' },
  presence: [],
  hasNumberIndex: false,
  texts: 'epicTexts',
  visible: visibleEpics,
}

/** Lists a page of the epics that the caller may see. Queries as for `listGroupItems`. */
export function listEpics(
  q: Queries,
  request: EpicListRequest,
  page: PageRequest,
): Promise<Page<EpicRow>> {
  return listGroupItems<EpicRow>(q, epicTable, { columns: listedEpicColumns }, request, page)
}
