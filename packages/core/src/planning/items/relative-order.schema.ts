import { z } from 'zod'
import { integer, optional } from '../../platform/contract/fields.ts'

/** Parameters that move something among its siblings, which are named by their ids. */
export const MoveAmongSiblings = z.object(
  optional({ move_before_id: integer(), move_after_id: integer() }),
)

/** What `MoveAmongSiblings` needs. */
export const moveConstraints = [{ atLeastOneOf: ['move_before_id', 'move_after_id'] }] as const

/** Documentation of `MoveAmongSiblings`; `things` are in the plural. */
export function moveDescription(things: string): string {
  return `With \`move_before_id\` it comes directly before that one, with \`move_after_id\` directly after it; with both, no others that the caller can read may be between them. Returns the first 100 ${things} in their new order.`
}
