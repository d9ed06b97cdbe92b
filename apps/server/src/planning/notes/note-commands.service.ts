import { invalidNote } from '@stithy/core'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { Item } from '../items/item.ts'
import type { DeferredAction } from '../quick-actions/action-context.ts'
import { runQuickActions } from '../quick-actions/quick-action.service.ts'

/** A note without its quick actions, and the item after they were executed. */
export interface NoteWithoutCommands {
  text: string
  item: Item
  /** Actions to run once the note is written. */
  deferredActions: readonly DeferredAction[]
}

/**
 * Executes the quick actions of a note. A note of commands only is not written: the response is a
 * 400, although the commands were executed.
 * @throws DomainError `bad_request`
 */
export async function runCommands(
  app: App,
  caller: Caller,
  item: Item,
  body: string,
): Promise<NoteWithoutCommands> {
  const result = await runQuickActions(app, caller, item, body)
  if (result.text.trim() !== '') return result
  const outcome = result.appliedCount > 0 ? 'Commands applied' : 'Could not apply the commands'
  throw invalidNote({ commands_only: [outcome] })
}
