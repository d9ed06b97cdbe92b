import type { Discussion } from '@stithy/core'
import type { DiscussionRows } from '@stithy/store'
import type { App } from '../app.ts'
import type { Item } from '../items/item.ts'
import { contextOf } from '../notes/note-view.service.ts'
import { presentDiscussion, presentDiscussions } from './discussion.presenter.ts'

/** A page of discussions, with those who wrote and resolved their notes. One query. */
export async function showDiscussions(
  app: App,
  item: Item,
  rows: readonly DiscussionRows[],
): Promise<Discussion[]> {
  const notes = rows.flatMap((discussion) => discussion.notes)
  return presentDiscussions(rows, await contextOf(app, item, notes))
}

/** One discussion. One query. */
export async function showDiscussion(
  app: App,
  item: Item,
  rows: DiscussionRows,
): Promise<Discussion> {
  return presentDiscussion(rows, await contextOf(app, item, rows.notes))
}
