import { decideOnGroup, decideOnProject } from '@stithy/core'
import type { Caller } from '../../platform/http/call.ts'
import type { Item } from '../items/item.ts'

/**
 * The requested creation time of a note, in milliseconds; undefined if none is sent or the caller
 * may not set it. Only administrators and owners may.
 */
export function noteDate(
  caller: Caller,
  item: Item,
  { created_at: createdAt }: { created_at?: number | undefined },
): number | undefined {
  return createdAt !== undefined && maySetDate(caller, item) ? createdAt : undefined
}

function maySetDate({ facts }: Caller, item: Item): boolean {
  if (item.type === 'epic') {
    return decideOnGroup('set_epic_note_dates', facts, item.group.facts).allowed
  }
  if (item.project === undefined) return facts.admin
  return decideOnProject('set_note_dates', facts, item.project.facts).allowed
}
