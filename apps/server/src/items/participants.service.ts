import type { UserRef } from '@stithy/core'
import { listParticipantIds, type Page, type PageRequest } from '@stithy/store'
import type { App } from '../app.ts'
import { slicePage } from '../repositories/repository.service.ts'
import { userRefs } from '../users/user-views.service.ts'
import type { WorkItem } from './item.ts'
import { thoseWhoMayRead } from './readers.service.ts'

/**
 * A page of who takes part in an item and may read it, in the order of their ids (catalogue: issues, 2.5).
 * Three queries.
 */
export async function listParticipants(
  app: App,
  item: WorkItem,
  request: PageRequest,
): Promise<Page<UserRef>> {
  const others = await listParticipantIds(app.db, { type: item.type, id: item.row.id })
  const readers = await thoseWhoMayRead(app, item, [item.row.authorId, ...others])
  const ids = [...readers].toSorted((a, b) => a - b)
  const page = slicePage(ids, request)
  const users = await userRefs(app, page.items)
  return { ...page, items: page.items.flatMap((id) => users.get(id) ?? []) }
}
