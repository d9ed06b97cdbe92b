import { inBackground, type Queries } from '../../platform/queries/queries.ts'
import { membershipsOf, type ViewerArgs } from '../members/memberships.ts'

/**
 * The shortest grace period, in hours, of the groups that require two-factor authentication of a
 * user: those that they are a direct member of, and the groups above and below. Undefined if none
 * does. Starts from the user, whose groups may have many subgroups, and not from the groups that
 * require it, of which anyone may create many.
 */
export async function findGroupTwoFactorGrace(
  q: Queries,
  args: ViewerArgs,
): Promise<number | undefined> {
  const row = await inBackground(q).first('two-factor-grace.groups', args, (db, $) => {
    const below = membershipsOf($, 'group', 1)
      .innerJoin('namespaceAncestors as reached', 'reached.ancestorId', 'members.sourceId')
      .innerJoin('namespaces as n', 'n.id', 'reached.descendantId')
      .where('n.requireTwoFactorAuthentication', '=', 1)
      .where('n.deletedAt', 'is', null)
      .select('n.twoFactorGracePeriod as hours')
    const above = membershipsOf($, 'group', 1)
      .innerJoin('namespaceAncestors as a', 'a.descendantId', 'members.sourceId')
      .innerJoin('namespaces as n', 'n.id', 'a.ancestorId')
      .where('n.requireTwoFactorAuthentication', '=', 1)
      .where('n.deletedAt', 'is', null)
      .select('n.twoFactorGracePeriod as hours')
    return db
      .selectFrom(below.unionAll(above).as('required'))
      .select((eb) => eb.fn.min<number | null>('required.hours').as('hours'))
  })
  return row?.hours ?? undefined
}

/** Notes when a user's grace period began, unless it has already. Milliseconds since the epoch. */
export async function startTwoFactorGrace(
  q: Queries,
  args: { userId: number; now: number },
): Promise<void> {
  await q.run('two-factor-grace.start', args, (db, $) =>
    db
      .updateTable('users')
      .set({ twoFactorGraceStartedAt: $('now') })
      .where('id', '=', $('userId'))
      .where('twoFactorGraceStartedAt', 'is', null),
  )
}

/** Forgets a user's grace period, once two-factor authentication is no longer required of them. */
export async function clearTwoFactorGrace(q: Queries, userId: number): Promise<void> {
  await q.run('two-factor-grace.clear', { userId }, (db, $) =>
    db
      .updateTable('users')
      .set({ twoFactorGraceStartedAt: null })
      .where('id', '=', $('userId'))
      .where('twoFactorGraceStartedAt', 'is not', null),
  )
}
