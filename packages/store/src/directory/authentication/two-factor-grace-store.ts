import type { Queries } from '../../platform/queries/queries.ts'

/**
 * The shortest grace period, in hours, of the groups that require two-factor authentication of a
 * user: those that they are a direct member of, and the groups above and below. Undefined if none
 * does. `today` is `YYYY-MM-DD`.
 */
export async function findGroupTwoFactorGrace(
  q: Queries,
  args: { userId: number; today: string },
): Promise<number | undefined> {
  const row = await q.first('two-factor-grace.groups', args, (db, $) =>
    db
      .selectFrom('namespaces as n')
      .where('n.requireTwoFactorAuthentication', '=', 1)
      .where('n.deletedAt', 'is', null)
      .where((eb) => {
        const joined = (own: 'ancestorId' | 'descendantId', other: typeof own) =>
          eb.exists(
            eb
              .selectFrom('namespaceAncestors as a')
              .innerJoin('members as m', 'm.sourceId', `a.${other}`)
              .whereRef(`a.${own}`, '=', 'n.id')
              .where('m.sourceKind', '=', 'group')
              .where('m.userId', '=', $('userId'))
              .where((e) =>
                e.or([e('m.expiresOn', 'is', null), e('m.expiresOn', '>=', $('today'))]),
              )
              .select('m.id'),
          )
        return eb.or([joined('descendantId', 'ancestorId'), joined('ancestorId', 'descendantId')])
      })
      .select((eb) => eb.fn.min<number | null>('n.twoFactorGracePeriod').as('hours')),
  )
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
