import type { Transaction } from '@stithy/store'
import type { Change, ChangeKind } from './change.ts'

/**
 * A consequence of a change, in the same transaction: rows and jobs only, no git and no network.
 */
type Effect<K extends ChangeKind> = (tx: Transaction, change: Change<K>) => Promise<void>

/** The effects of each kind of change, in order of execution. */
export type EffectTable = { readonly [K in ChangeKind]: readonly Effect<K>[] }

let effects: EffectTable | undefined

/** Sets the effects for the whole process; the app layer calls it at start. */
export function setEffects(table: EffectTable): void {
  effects = table
}

/**
 * Records a change in the transaction that wrote it, and runs its effects: system notes, todos,
 * activity events, webhooks, counts, jobs. They are listed in `app/effects/`.
 */
export async function recordChange<K extends ChangeKind>(
  tx: Transaction,
  change: Change<K>,
): Promise<void> {
  if (effects === undefined) throw new Error('No effects are set')
  const list = effects[change.kind] as readonly Effect<K>[]
  for (const effect of list) await effect(tx, change)
}
