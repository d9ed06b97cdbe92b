import { invalidNote } from '@stithy/core'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import type { Item } from '../items/item.ts'
import type { Deed } from '../quick-actions/action-reading.ts'
import { runQuickActions } from '../quick-actions/quick-action.service.ts'

/** What is left of a note when its commands were run, and the item as they left it. */
export interface SaidNote {
  text: string
  item: Item
  /** What is done once the note is written. */
  afterwards: readonly Deed[]
}

/**
 * Runs the quick actions of a note. One of nothing else is no note: the answer is a 400, though the commands
 * ran (catalogue: issues, 8).
 * @throws DomainError `bad_request`
 */
export async function runCommands(
  app: App,
  caller: Caller,
  item: Item,
  body: string,
): Promise<SaidNote> {
  const ran = await runQuickActions(app, caller, item, body)
  if (ran.text.trim() !== '') return ran
  const outcome = ran.ran > 0 ? 'Commands applied' : 'Could not apply the commands'
  throw invalidNote({ commands_only: [outcome] })
}
