import type { NoteableType } from '@stithy/core'
import { sql } from 'kysely'
import type { Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'

/** A text of an item: one of its notes, or with `noteId` 0 its title and description. */
export interface TextKey {
  targetType: Exclude<NoteableType, 'commit'>
  targetId: number
  noteId: number
}

/** Records who is mentioned in a text; existing mentions stay. One statement. */
export async function addMentions(
  tx: Transaction,
  key: TextKey,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length === 0) return
  await tx.run('mentions.add', { ...key, userIds }, (db, $) =>
    db
      .insertInto('mentions')
      .columns(['targetType', 'targetId', 'noteId', 'userId'])
      .expression((eb) =>
        eb
          .selectFrom('users')
          .where(inList('users.id', $('userIds')))
          .select([
            sql<TextKey['targetType']>`cast(${$('targetType')} as text)`.as('a'),
            sql<number>`cast(${$('targetId')} as bigint)`.as('b'),
            sql<number>`cast(${$('noteId')} as bigint)`.as('c'),
            'users.id',
          ]),
      )
      .onConflict((conflict) => conflict.doNothing()),
  )
}

/** Deletes the mentions in a text. */
export async function removeMentions(tx: Transaction, key: TextKey): Promise<void> {
  await tx.run('mentions.remove', key, (db, $) =>
    db
      .deleteFrom('mentions')
      .where('targetType', '=', $('targetType'))
      .where('targetId', '=', $('targetId'))
      .where('noteId', '=', $('noteId')),
  )
}
