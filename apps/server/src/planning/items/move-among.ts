import { notFound, refused } from '@stithy/core'
import type { Transaction } from '@stithy/store'

/** Between which siblings something is moved, by their ids; at least one is given. */
export interface MoveRequest {
  /** The one that it comes directly before. */
  move_before_id?: number | undefined
  /** The one that it comes directly after. */
  move_after_id?: number | undefined
}

/** The siblings that the caller may see, in the order of one locked parent. */
export interface VisibleOrder {
  /** `Epic`, for what can't be moved. */
  noun: string
  /** `Child Epic`, for what isn't found. */
  title: string
  /** Undefined for none of them. */
  findPosition: (id: number) => Promise<number | undefined>
  /** Whether one of them is between two positions, besides the one that is moved. */
  hasBetween: (between: { after: number; before: number; exceptId: number }) => Promise<boolean>
  move: (
    tx: Transaction,
    move: { id: number; to: { siblingId: number; side: 'before' | 'after' } },
  ) => Promise<boolean>
}

/**
 * Moves something among its siblings.
 * @throws DomainError `not_found` if it or a sibling is none that the caller may see, `bad_request` if
 *   it can't be moved there.
 */
export async function moveAmong(
  tx: Transaction,
  order: VisibleOrder,
  id: number,
  { move_before_id: beforeId, move_after_id: afterId }: MoveRequest,
): Promise<void> {
  await requirePosition(order, id)
  const before = beforeId === undefined ? undefined : await requirePosition(order, beforeId)
  const after = afterId === undefined ? undefined : await requirePosition(order, afterId)
  const siblingId = beforeId ?? afterId
  if (siblingId === undefined || beforeId === id || afterId === id) throw cannotMove(order)
  if (before !== undefined && after !== undefined) {
    const isOrdered = after < before
    const between = { after, before, exceptId: id }
    if (!isOrdered || (await order.hasBetween(between))) throw cannotMove(order)
  }
  const side = beforeId === undefined ? 'after' : 'before'
  if (!(await order.move(tx, { id, to: { siblingId, side } }))) throw notFound(order.title)
}

async function requirePosition(order: VisibleOrder, id: number): Promise<number> {
  const position = await order.findPosition(id)
  if (position === undefined) throw notFound(order.title)
  return position
}

/** The error that v4 clients know. */
function cannotMove({ noun }: VisibleOrder) {
  return refused(`${noun} could not be moved!`)
}
