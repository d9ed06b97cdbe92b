import type { CallerFacts } from '@stithy/core'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { touchStamp } from '../../platform/queries/stamps.ts'
import { current } from '../members/current.ts'
import { memberGroups, viewerArgs, viewerKind, visibleGroups } from '../members/visibility.ts'

/** The ends of a share: the group that is shared, and the group whose members get access. */
export interface GroupShareKey {
  sharedGroupId: number
  sharedWithGroupId: number
}

export interface NewGroupShare extends GroupShareKey {
  groupAccess: number
  /** The last day of the share, `YYYY-MM-DD`. */
  expiresOn: string | null
  /** Milliseconds since the epoch. */
  createdAt: number
}

/** @throws UniqueViolationError if the group is shared with the other already. */
export async function insertGroupShare(tx: Transaction, share: NewGroupShare): Promise<void> {
  await tx.run('group-shares.insert', share, (db, $) =>
    db.insertInto('groupGroupLinks').values({
      sharedGroupId: $('sharedGroupId'),
      sharedWithGroupId: $('sharedWithGroupId'),
      groupAccess: $('groupAccess'),
      expiresOn: $('expiresOn'),
      createdAt: $('createdAt'),
    }),
  )
  touchStamp(tx, 'members')
}

/** Deletes a share, expired or not. */
export async function deleteGroupShare(tx: Transaction, key: GroupShareKey): Promise<void> {
  await tx.run('group-shares.delete', key, (db, $) =>
    db
      .deleteFrom('groupGroupLinks')
      .where('sharedGroupId', '=', $('sharedGroupId'))
      .where('sharedWithGroupId', '=', $('sharedWithGroupId')),
  )
  touchStamp(tx, 'members')
}

/** Whether a group is shared with another on a date, `YYYY-MM-DD`. */
export async function isGroupShared(
  q: Queries,
  args: GroupShareKey & { today: string },
): Promise<boolean> {
  const row = await q.first('group-shares.find', args, (db, $) =>
    db
      .selectFrom('groupGroupLinks')
      .select('id')
      .where('sharedGroupId', '=', $('sharedGroupId'))
      .where('sharedWithGroupId', '=', $('sharedWithGroupId'))
      .where(current('groupGroupLinks', $)),
  )
  return row !== undefined
}

/** A group that another is shared with. */
export interface GroupShareRow {
  groupId: number
  groupName: string
  groupFullPath: string
  groupAccess: number
  expiresOn: string | null
}

/**
 * Lists the groups that a group is shared with, oldest share first: those that the caller can read,
 * and all for an owner of the shared group. One query.
 */
export function listGroupShares(
  q: Queries,
  args: { groupId: number; caller: CallerFacts; today: string },
): Promise<GroupShareRow[]> {
  const { groupId, caller, today } = args
  const kind = viewerKind(caller)
  return q.all(`group-shares.list|${kind}`, { groupId, ...viewerArgs(caller, today) }, (db, $) =>
    db
      .selectFrom('groupGroupLinks as l')
      .innerJoin('namespaces as shared', 'shared.id', 'l.sharedGroupId')
      .innerJoin('namespaces as g', 'g.id', 'l.sharedWithGroupId')
      .where('l.sharedGroupId', '=', $('groupId'))
      .where('g.deletedAt', 'is', null)
      .where(current('l', $))
      .where((eb) => eb.or([visibleGroups(kind, $, 'g'), memberGroups(50, $, 'shared')]))
      .orderBy('l.id')
      .select([
        'l.sharedWithGroupId as groupId',
        'g.name as groupName',
        'g.fullPath as groupFullPath',
        'l.groupAccess',
        'l.expiresOn',
      ]),
  )
}
