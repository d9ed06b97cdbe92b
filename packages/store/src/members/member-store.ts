import type { GroupMembership } from '@stithy/core'
import type { Queries, Transaction } from '../queries.ts'
import { inList } from '../sql.ts'
import { touchStamp } from '../stamps.ts'
import { current } from './current.ts'

/** What a membership is in. */
export interface MemberSource {
  sourceKind: 'group' | 'project'
  sourceId: number
}

/** One direct membership. */
export interface MembershipRow extends MemberSource {
  id: number
  userId: number
  accessLevel: number
  /** The last day on which the membership counts, `YYYY-MM-DD`. */
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

/** @throws UniqueViolationError when the user has a direct membership already, lapsed or not. */
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
  await touchStamp(tx, 'members')
}

/** Makes a membership, or gives the one that is there this level and end. */
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
  await touchStamp(tx, 'members')
}

/** Which direct membership, and the day on which it must count, `YYYY-MM-DD`. */
export interface MembershipKey extends MemberSource {
  userId: number
  today: string
}

/** Removes a direct membership whose last day has passed; false when there is none such. */
export async function deleteLapsedMember(tx: Transaction, key: MembershipKey): Promise<boolean> {
  const { changes } = await tx.run('members.delete.lapsed', key, (db, $) =>
    db
      .deleteFrom('members')
      .where('userId', '=', $('userId'))
      .where('sourceKind', '=', $('sourceKind'))
      .where('sourceId', '=', $('sourceId'))
      .where('expiresOn', '<', $('today')),
  )
  return changes > 0
}

/** A direct membership that counts. */
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

/** Changes a direct membership. */
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
  await touchStamp(tx, 'members')
}

/** The direct members of a group who own it, lapsed and blocked ones too. */
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

/** The highest membership of a user in a namespace's groups, at least `minDistance` above it. */
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

/** Removes a user's membership in one project. */
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
  await touchStamp(tx, 'members')
}

/**
 * Removes a user from a group, and from every group and project below it. Answers the ids of the
 * projects that lost a direct membership.
 */
export async function deleteGroupMember(
  tx: Transaction,
  args: { groupId: number; userId: number },
): Promise<number[]> {
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
  await tx.run('members.delete.below', { userId: args.userId, ids }, (db, $) =>
    db
      .deleteFrom('members')
      .where('userId', '=', $('userId'))
      .where('sourceKind', '=', 'project')
      .where(inList('members.sourceId', $('ids'))),
  )
  await tx.run('members.delete.tree', args, (db, $) =>
    db
      .deleteFrom('members')
      .where('userId', '=', $('userId'))
      .where('sourceKind', '=', 'group')
      .where('sourceId', 'in', (eb) =>
        eb
          .selectFrom('namespaceAncestors')
          .where('ancestorId', '=', $('groupId'))
          .select('descendantId'),
      ),
  )
  await touchStamp(tx, 'members')
  return ids
}

/** Memberships whose last day has passed, oldest first. */
export function listLapsedMembers(
  q: Queries,
  args: { today: string; limit: number },
): Promise<MembershipRow[]> {
  return q.all('members.lapsed', args, (db, $) =>
    db
      .selectFrom('members')
      .select(['id', 'userId', 'sourceKind', 'sourceId', 'accessLevel', 'expiresOn'])
      .where('expiresOn', '<', $('today'))
      .orderBy('expiresOn')
      .limit($('limit')),
  )
}

/** Removes memberships by their ids. */
export async function deleteMembers(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.run('members.delete.ids', { ids }, (db, $) =>
    db.deleteFrom('members').where(inList('members.id', $('ids'))),
  )
  await touchStamp(tx, 'members')
}
