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

/** The active user with this public e-mail address, the oldest one if several share it. */
export function findUserByPublicEmail(
  q: Queries,
  publicEmail: string,
): Promise<{ id: number; avatar: string | null } | undefined> {
  return q.first('users.by-public-email', { publicEmail }, (db, $) =>
    db
      .selectFrom('users')
      .select(['id', 'avatar'])
      .where('publicEmail', '=', $('publicEmail'))
      .where('kind', '=', 'human')
      .where('state', '=', 'active')
      .orderBy('id')
      .limit(1),
  )
}
