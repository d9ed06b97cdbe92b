import { decideOnGroup, decideOnProject } from '@stithy/core'
import type { Caller } from '../http/call.ts'
import type { Item } from '../items/item.ts'

/**
 * When a note is to have been written, in milliseconds: what is asked for counts for administrators and
 * owners, and is ignored from others (catalogue: merge_requests, 6).
 */
export function dateOf(
  caller: Caller,
  item: Item,
  { created_at: createdAt }: { created_at?: number | undefined },
): number | undefined {
  return createdAt !== undefined && mayDate(caller, item) ? createdAt : undefined
}

function mayDate({ facts }: Caller, item: Item): boolean {
  if (item.type === 'epic') {
    return decideOnGroup('set_epic_note_dates', facts, item.group.facts).allowed
  }
  if (item.project === undefined) return facts.admin
  return decideOnProject('set_note_dates', facts, item.project.facts).allowed
}
