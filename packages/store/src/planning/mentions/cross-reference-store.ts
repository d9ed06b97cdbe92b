import type { NoteableType } from '@stithy/core'
import type { Transaction } from '../../platform/queries/queries.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** Items that can be cross-referenced. */
export type ReferableType = Row<'crossReferences'>['targetType']

/** An item that references another one. */
export interface ReferenceSource {
  type: NoteableType
  /** The id, or the hash of a commit. */
  key: string
  projectId: number | null
}

export interface NewCrossReference {
  targetType: ReferableType
  targetId: number
  source: ReferenceSource
  /** Milliseconds since the epoch. */
  at: number
}

/**
 * Records that an item references another; false if it is recorded already, also when two calls run
 * concurrently.
 */
export async function addCrossReference(
  tx: Transaction,
  { targetType, targetId, source, at }: NewCrossReference,
): Promise<boolean> {
  const args = {
    targetType,
    targetId,
    sourceType: source.type,
    sourceKey: source.key,
    sourceProjectId: source.projectId,
    createdAt: at,
  }
  const row = await tx.first('cross-references.add', args, (db, $) =>
    db
      .insertInto('crossReferences')
      .values({
        targetType: $('targetType'),
        targetId: $('targetId'),
        sourceType: $('sourceType'),
        sourceKey: $('sourceKey'),
        sourceProjectId: $('sourceProjectId'),
        createdAt: $('createdAt'),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  )
  return row !== undefined
}
