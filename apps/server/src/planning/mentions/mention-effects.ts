import type { Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { applyTextEffects } from './text-effects.service.ts'

type Written =
  | 'issue.created'
  | 'issue.updated'
  | 'merge_request.created'
  | 'merge_request.updated'
  | 'epic.created'
  | 'epic.updated'

/**
 * Stores the mentions in the title and description, with todos for the mentioned users and system
 * notes on the mentioned items.
 */
export async function applyMentionsOfItem(
  tx: Transaction,
  { item, texts, now }: Change<Written>,
): Promise<void> {
  if (texts !== undefined) await applyTextEffects(tx, item, texts, { at: now })
}

/** Does the same for the text of a note. */
export async function applyMentionsOfNote(
  tx: Transaction,
  { item, note, texts, at }: Change<'note.created' | 'note.updated'>,
): Promise<void> {
  await applyTextEffects(tx, item, texts, { noteId: note.id, at })
}

/** Writes system notes on the items that a commit message mentions. */
export async function applyMentionsOfCommit(
  tx: Transaction,
  { item, texts, now }: Change<'commit.mentions_read'>,
): Promise<void> {
  await applyTextEffects(tx, item, texts, { at: now })
}
