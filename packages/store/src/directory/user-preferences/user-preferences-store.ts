import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import type { Flag } from '../../platform/schema/flag.ts'

/** What a user has set; absent for who has set nothing. */
export interface UserPreferencesRow {
  viewDiffsFileByFile: Flag
  showWhitespaceInDiffs: Flag
}

/** The preferences of a user, or undefined. */
export function findUserPreferences(
  q: Queries,
  userId: number,
): Promise<UserPreferencesRow | undefined> {
  return q.first('user-preferences.find', { userId }, (db, $) =>
    db
      .selectFrom('userPreferences')
      .select(['viewDiffsFileByFile', 'showWhitespaceInDiffs'])
      .where('userId', '=', $('userId')),
  )
}

/** Sets or replaces the preferences of a user. */
export async function setUserPreferences(
  tx: Transaction,
  preferences: UserPreferencesRow & { userId: number },
): Promise<void> {
  await tx.run('user-preferences.set', preferences, (db, $) =>
    db
      .insertInto('userPreferences')
      .values({
        userId: $('userId'),
        viewDiffsFileByFile: $('viewDiffsFileByFile'),
        showWhitespaceInDiffs: $('showWhitespaceInDiffs'),
      })
      .onConflict((conflict) =>
        conflict.column('userId').doUpdateSet({
          viewDiffsFileByFile: $('viewDiffsFileByFile'),
          showWhitespaceInDiffs: $('showWhitespaceInDiffs'),
        }),
      ),
  )
}
