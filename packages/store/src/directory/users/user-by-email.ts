import type { Queries } from '../../platform/queries/queries.ts'

/**
 * The id of the active user who has confirmed this e-mail address, primary or secondary,
 * case-insensitively; undefined for none.
 */
export async function findUserIdByEmail(q: Queries, email: string): Promise<number | undefined> {
  const row = await q.first('users.by-email', { emailLower: email.toLowerCase() }, (db, $) =>
    db
      .selectFrom('emails')
      .innerJoin('users', 'users.id', 'emails.userId')
      .select('users.id')
      .where('emails.emailLower', '=', $('emailLower'))
      .where('emails.confirmedAt', 'is not', null)
      .where('users.kind', '=', 'human')
      .where('users.state', '=', 'active'),
  )
  return row?.id
}
