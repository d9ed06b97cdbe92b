import type { UserRef } from '@stithy/core'
import { listParticipantIds, type Page, type PageRequest } from '@stithy/store'
import { userRefs } from '../../directory/users/user-views.service.ts'
import type { App } from '../../platform/app.ts'
import { slicePage } from '../../platform/http/slice-page.ts'
import type { WorkItem } from './item.ts'
import { filterReaders } from './readers.service.ts'

/** Lists a page of the participants of an item who may read it, ordered by id. Three queries. */
export async function listParticipants(
  app: App,
  item: WorkItem,
  request: PageRequest,
): Promise<Page<UserRef>> {
  const others = await listParticipantIds(app.db, { type: item.type, id: item.row.id })
  const readers = await filterReaders(app, item, [item.row.authorId, ...others])
  const ids = [...readers].toSorted((a, b) => a - b)
  const page = slicePage(ids, request)
  const users = await userRefs(app, page.items)
  return { ...page, items: page.items.flatMap((id) => users.get(id) ?? []) }
}
