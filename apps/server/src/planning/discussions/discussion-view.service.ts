import type { Discussion } from '@stithy/core'
import type { DiscussionRows } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Item } from '../items/item.ts'
import { withBodies } from '../notes/note-bodies.ts'
import { loadNoteContext } from '../notes/note-view.service.ts'
import { presentDiscussion } from './discussion.presenter.ts'

/**
 * A page of discussions, with the authors and resolvers of their notes. One query.
 * @param maxBodyLength what the texts of notes are cut to, in characters
 */
export async function viewDiscussions(
  app: App,
  item: Item,
  rows: readonly DiscussionRows[],
  maxBodyLength?: number,
): Promise<Discussion[]> {
  const all = rows.flatMap((discussion) => discussion.notes)
  const context = await loadNoteContext(app, item, all)
  return rows.map(({ id, notes }) =>
    presentDiscussion({ id, notes: withBodies(app, notes, maxBodyLength) }, context),
  )
}

/** One discussion. One query. */
export async function viewDiscussion(
  app: App,
  item: Item,
  { id, notes }: DiscussionRows,
): Promise<Discussion> {
  const context = await loadNoteContext(app, item, notes)
  return presentDiscussion({ id, notes: withBodies(app, notes) }, context)
}
