import type { Discussion } from '@stithy/core'
import type { DiscussionRows } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Item } from '../items/item.ts'
import { loadNoteContext } from '../notes/note-view.service.ts'
import { presentDiscussion, presentDiscussions } from './discussion.presenter.ts'

/** A page of discussions, with the authors and resolvers of their notes. One query. */
export async function viewDiscussions(
  app: App,
  item: Item,
  rows: readonly DiscussionRows[],
): Promise<Discussion[]> {
  const notes = rows.flatMap((discussion) => discussion.notes)
  return presentDiscussions(rows, await loadNoteContext(app, item, notes))
}

/** One discussion. One query. */
export async function viewDiscussion(
  app: App,
  item: Item,
  rows: DiscussionRows,
): Promise<Discussion> {
  return presentDiscussion(rows, await loadNoteContext(app, item, rows.notes))
}
