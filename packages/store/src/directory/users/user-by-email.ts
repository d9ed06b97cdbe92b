import type { Queries } from '../../platform/queries/queries.ts'

/**
 * The id of the active user who has confirmed this e-mail address, case-insensitively; undefined
 * for none.
 */
export async function findUserIdByEmail(q: Queries, email: string): Promise<number | undefined> {
  const row = await q.first('users.by-email', { emailLower: email.toLowerCase() }, (db, $) =>
    db
      .selectFrom('users')
      .select('users.id')
      .where('users.emailLower', '=', $('emailLower'))
      .where('users.confirmedAt', 'is not', null)
      .where('users.kind', '=', 'human')
      .where('users.state', '=', 'active'),
  )
  return row?.id
}
