import type { GroupMembership } from '@stithy/core'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { touchStamp } from '../../platform/queries/stamps.ts'
import { current } from './current.ts'

/** The project or group of a membership. */
export interface MemberSource {
  sourceKind: 'group' | 'project'
  sourceId: number
}

/** A direct membership that began or ended. */
export interface MembershipTerms extends MemberSource {
  accessLevel: number
}

/** One direct membership. */
export interface MembershipRow extends MemberSource {
  id: number
  userId: number
  accessLevel: number
  /** The last day of the membership, `YYYY-MM-DD`. */
  expiresOn: string | null
}

export interface NewMember extends MemberSource {
  userId: number
  accessLevel: number
  expiresOn: string | null
  createdById: number | null
  /** Milliseconds since the epoch. */
  createdAt: number
}

/** @throws UniqueViolationError if the user has a direct membership already, expired or not. */
export async function insertMember(tx: Transaction, member: NewMember): Promise<void> {
  await tx.run('members.insert', member, (db, $) =>
    db.insertInto('members').values({
      userId: $('userId'),
      sourceKind: $('sourceKind'),
      sourceId: $('sourceId'),
      accessLevel: $('accessLevel'),
      expiresOn: $('expiresOn'),
      createdAt: $('createdAt'),
      createdById: $('createdById'),
    }),
  )
  touchStamp(tx, 'members')
}

/** Creates a membership, or updates the level and end of the existing one. */
export async function setMember(tx: Transaction, member: NewMember): Promise<void> {
  await tx.run('members.set', member, (db, $) =>
    db
      .insertInto('members')
      .values({
        userId: $('userId'),
        sourceKind: $('sourceKind'),
        sourceId: $('sourceId'),
        accessLevel: $('accessLevel'),
        expiresOn: $('expiresOn'),
        createdAt: $('createdAt'),
        createdById: $('createdById'),
      })
      .onConflict((conflict) =>
        conflict.columns(['sourceKind', 'sourceId', 'userId']).doUpdateSet((eb) => ({
          accessLevel: eb.ref('excluded.accessLevel'),
          expiresOn: eb.ref('excluded.expiresOn'),
        })),
      ),
  )
  touchStamp(tx, 'members')
}

/** A direct membership, and the date on which it must be active, `YYYY-MM-DD`. */
export interface MembershipKey extends MemberSource {
  userId: number
  today: string
}

/** Deletes a direct membership whose last day has passed; false if there is none. */
export async function deleteExpiredMember(tx: Transaction, key: MembershipKey): Promise<boolean> {
  const { changes } = await tx.run('members.delete.expired', key, (db, $) =>
    db
      .deleteFrom('members')
      .where('userId', '=', $('userId'))
      .where('sourceKind', '=', $('sourceKind'))
      .where('sourceId', '=', $('sourceId'))
      .where('expiresOn', '<', $('today')),
  )
  return changes > 0
}

/** An active direct membership. */
export function findMembership(q: Queries, key: MembershipKey): Promise<MembershipRow | undefined> {
  return q.first('members.find', key, (db, $) =>
    db
      .selectFrom('members')
      .select(['id', 'userId', 'sourceKind', 'sourceId', 'accessLevel', 'expiresOn'])
      .where('userId', '=', $('userId'))
      .where('sourceKind', '=', $('sourceKind'))
      .where('sourceId', '=', $('sourceId'))
      .where(current('members', $)),
  )
}

/** Updates a direct membership. */
export async function updateMember(
  tx: Transaction,
  args: MemberSource & { userId: number; accessLevel: number; expiresOn: string | null },
): Promise<void> {
  await tx.run('members.update', args, (db, $) =>
    db
      .updateTable('members')
      .set({ accessLevel: $('accessLevel'), expiresOn: $('expiresOn') })
      .where('userId', '=', $('userId'))
      .where('sourceKind', '=', $('sourceKind'))
      .where('sourceId', '=', $('sourceId')),
  )
  touchStamp(tx, 'members')
}

/** Lists the direct owners of a group, expired memberships and blocked users included. */
export function listGroupOwners(q: Queries, args: { groupId: number }): Promise<GroupMembership[]> {
  return q.all('members.owners', args, (db, $) =>
    db
      .selectFrom('members as m')
      .innerJoin('users as u', 'u.id', 'm.userId')
      .select(['m.userId', 'm.accessLevel', 'm.expiresOn', 'u.state'])
      .where('m.sourceKind', '=', 'group')
      .where('m.sourceId', '=', $('groupId'))
      .where('m.accessLevel', '>=', 50),
  )
}

/** The highest membership of a user in a namespace's groups, at least `minDistance` levels up. */
export function findInheritedMembership(
  q: Queries,
  args: { namespaceId: number; userId: number; minDistance: number; today: string },
): Promise<{ accessLevel: number; groupName: string } | undefined> {
  return q.first('members.inherited', args, (db, $) =>
    db
      .selectFrom('namespaceAncestors as a')
      .innerJoin('members as m', 'm.sourceId', 'a.ancestorId')
      .innerJoin('namespaces as n', 'n.id', 'a.ancestorId')
      .where('a.descendantId', '=', $('namespaceId'))
      .where('a.distance', '>=', $('minDistance'))
      .where('m.sourceKind', '=', 'group')
      .where('m.userId', '=', $('userId'))
      .where(current('m', $))
      .orderBy('m.accessLevel', 'desc')
      .select(['m.accessLevel', 'n.name as groupName'])
      .limit(1),
  )
}

/** Deletes a user's membership in one project. */
export async function deleteProjectMember(
  tx: Transaction,
  args: { projectId: number; userId: number },
): Promise<void> {
  await tx.run('members.delete.project', args, (db, $) =>
    db
      .deleteFrom('members')
      .where('userId', '=', $('userId'))
      .where('sourceKind', '=', 'project')
      .where('sourceId', '=', $('projectId')),
  )
  touchStamp(tx, 'members')
}

/**
 * Removes a user from a group and all its subgroups and projects. Returns the direct memberships
 * that ended: of projects, then of groups.
 */
export async function deleteGroupMember(
  tx: Transaction,
  args: { groupId: number; userId: number },
): Promise<MembershipTerms[]> {
  const projects = await tx.all('members.below.projects', args, (db, $) =>
    db
      .selectFrom('members as m')
      .innerJoin('projects as p', 'p.id', 'm.sourceId')
      .innerJoin('namespaceAncestors as a', 'a.descendantId', 'p.namespaceId')
      .where('m.userId', '=', $('userId'))
      .where('m.sourceKind', '=', 'project')
      .where('a.ancestorId', '=', $('groupId'))
      .select('p.id'),
  )
  const ids = projects.map((project) => project.id)
  const below = await tx.all('members.delete.below', { userId: args.userId, ids }, (db, $) =>
    db
      .deleteFrom('members')
      .where('userId', '=', $('userId'))
      .where('sourceKind', '=', 'project')
      .where(inList('members.sourceId', $('ids')))
      .returning(['sourceKind', 'sourceId', 'accessLevel']),
  )
  const groups = await tx.all('members.delete.tree', args, (db, $) =>
    db
      .deleteFrom('members')
      .where('userId', '=', $('userId'))
      .where('sourceKind', '=', 'group')
      .where('sourceId', 'in', (eb) =>
        eb
          .selectFrom('namespaceAncestors')
          .where('ancestorId', '=', $('groupId'))
          .select('descendantId'),
      )
      .returning(['sourceKind', 'sourceId', 'accessLevel']),
  )
  touchStamp(tx, 'members')
  return [...below, ...groups]
}

/** Lists memberships whose last day has passed, oldest first. */
export function listExpiredMembers(
  q: Queries,
  args: { today: string; limit: number },
): Promise<MembershipRow[]> {
  return q.all('members.expired', args, (db, $) =>
    db
      .selectFrom('members')
      .select(['id', 'userId', 'sourceKind', 'sourceId', 'accessLevel', 'expiresOn'])
      .where('expiresOn', '<', $('today'))
      .orderBy('expiresOn')
      .limit($('limit')),
  )
}

/** Deletes memberships by id. */
export async function deleteMembers(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.run('members.delete.ids', { ids }, (db, $) =>
    db.deleteFrom('members').where(inList('members.id', $('ids'))),
  )
  touchStamp(tx, 'members')
}
