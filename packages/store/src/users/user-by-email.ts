import type { Queries } from '../queries.ts'

/** Who has confirmed this e-mail address, in any case, and may do things; undefined where nobody. */
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
