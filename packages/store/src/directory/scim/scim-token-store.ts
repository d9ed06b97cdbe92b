import type { Queries, Transaction } from '../../platform/queries/queries.ts'

/** The group of a SCIM token. */
export interface ScimGroupRow {
  id: number
  fullPath: string
}

/** Sets or replaces the token of a group. */
export async function setScimToken(
  tx: Transaction,
  token: { groupId: number; tokenHash: string; createdAt: number },
): Promise<void> {
  await tx.run('scim-tokens.set', token, (db, $) =>
    db
      .insertInto('scimTokens')
      .values({ groupId: $('groupId'), tokenHash: $('tokenHash'), createdAt: $('createdAt') })
      .onConflict((conflict) =>
        conflict
          .column('groupId')
          .doUpdateSet({ tokenHash: $('tokenHash'), createdAt: $('createdAt') }),
      ),
  )
}

/** Deletes the token of a group; false if there is none. */
export async function deleteScimToken(tx: Transaction, groupId: number): Promise<boolean> {
  const { changes } = await tx.run('scim-tokens.delete', { groupId }, (db, $) =>
    db.deleteFrom('scimTokens').where('groupId', '=', $('groupId')),
  )
  return changes > 0
}

/** The group of a token, unless the group is being deleted. */
export function findScimGroup(q: Queries, tokenHash: string): Promise<ScimGroupRow | undefined> {
  return q.first('scim-tokens.group', { tokenHash }, (db, $) =>
    db
      .selectFrom('scimTokens')
      .innerJoin('namespaces', 'namespaces.id', 'scimTokens.groupId')
      .select(['namespaces.id', 'namespaces.fullPath'])
      .where('scimTokens.tokenHash', '=', $('tokenHash'))
      .where('namespaces.deletedAt', 'is', null),
  )
}
