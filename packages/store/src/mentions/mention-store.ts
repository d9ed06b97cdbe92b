import type { NoteableType } from '@stithy/core'
import { sql } from 'kysely'
import type { Transaction } from '../queries.ts'
import { inList } from '../sql.ts'

/** A text of an item: a note of it, or with `noteId` 0 its title and description. */
export interface TextKey {
  targetType: Exclude<NoteableType, 'commit'>
  targetId: number
  noteId: number
}

/** Writes down who is named in a text; who is written down already stays. One statement. */
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

/** Forgets who was named in a text. */
export async function removeMentions(tx: Transaction, key: TextKey): Promise<void> {
  await tx.run('mentions.remove', key, (db, $) =>
    db
      .deleteFrom('mentions')
      .where('targetType', '=', $('targetType'))
      .where('targetId', '=', $('targetId'))
      .where('noteId', '=', $('noteId')),
  )
}
