import type { AccessEntry } from '@stithy/core'
import type { Queries, Transaction } from '../queries.ts'
import type { Row } from '../schema/schema.ts'
import { touchStamp } from '../stamps.ts'

export type ProtectedRefKind = Row<'protectedRefs'>['kind']
export type ProtectedAction = Row<'protectedRefLevels'>['action']

/** One entry of a protection, and the action that it lets pass. */
export interface ProtectedRefLevel extends AccessEntry {
  action: ProtectedAction
}

export interface ProtectedRefKey {
  projectId: number
  kind: ProtectedRefKind
  /** As it was given when it was protected: wildcards stand for themselves. */
  name: string
}

/** One row for each entry; those of a protection without any have no `action`. */
export interface ProtectionRow {
  id: number
  kind: ProtectedRefKind
  name: string
  action: ProtectedAction | null
  accessLevel: number | null
  userId: number | null
  groupId: number | null
}

/** Everything that protects branches and tags of a project, in one query. */
export function listProtections(q: Queries, projectId: number): Promise<ProtectionRow[]> {
  return q.all('protectedRefs.all', { projectId }, (db, $) =>
    db
      .selectFrom('protectedRefs as r')
      .leftJoin('protectedRefLevels as l', 'l.protectedRefId', 'r.id')
      .where('r.projectId', '=', $('projectId'))
      .select(['r.id', 'r.kind', 'r.name', 'l.action', 'l.accessLevel', 'l.userId', 'l.groupId'])
      .orderBy('r.id')
      .orderBy('l.id'),
  )
}

/** A protection without its entries. */
export interface ProtectedRefRow {
  id: number
  name: string
  /** Milliseconds since the epoch. */
  createdAt: number
}

export function findProtectedRef(
  q: Queries,
  key: ProtectedRefKey,
): Promise<ProtectedRefRow | undefined> {
  return q.first('protectedRefs.find', key, (db, $) =>
    db
      .selectFrom('protectedRefs')
      .select(['id', 'name', 'createdAt'])
      .where('projectId', '=', $('projectId'))
      .where('kind', '=', $('kind'))
      .where('name', '=', $('name')),
  )
}

/** Protects a branch or tag; answers the id, or undefined where it is protected already. */
export async function insertProtectedRef(
  tx: Transaction,
  ref: ProtectedRefKey & { createdAt: number },
  levels: readonly ProtectedRefLevel[],
): Promise<number | undefined> {
  const row = await tx.first('protectedRefs.insert', ref, (db, $) =>
    db
      .insertInto('protectedRefs')
      .values({
        projectId: $('projectId'),
        kind: $('kind'),
        name: $('name'),
        createdAt: $('createdAt'),
      })
      .onConflict((conflict) => conflict.columns(['projectId', 'kind', 'name']).doNothing())
      .returning('id'),
  )
  if (row === undefined) return undefined
  await insertLevels(tx, row.id, levels)
  await touchStamp(tx, 'protectedRefs')
  return row.id
}

async function insertLevels(
  tx: Transaction,
  protectedRefId: number,
  levels: readonly ProtectedRefLevel[],
): Promise<void> {
  for (const { action, accessLevel, userId, groupId } of levels) {
    const level = { protectedRefId, action, accessLevel, userId, groupId }
    await tx.run('protectedRefs.level', level, (db, $) =>
      db.insertInto('protectedRefLevels').values({
        protectedRefId: $('protectedRefId'),
        action: $('action'),
        accessLevel: $('accessLevel'),
        userId: $('userId'),
        groupId: $('groupId'),
      }),
    )
  }
}

/** Gives a protection these entries for one action, in place of those that it has. */
export async function replaceProtectedRefLevels(
  tx: Transaction,
  protectedRefId: number,
  action: ProtectedAction,
  entries: readonly AccessEntry[],
): Promise<void> {
  await tx.run('protectedRefs.levels.delete', { protectedRefId, action }, (db, $) =>
    db
      .deleteFrom('protectedRefLevels')
      .where('protectedRefId', '=', $('protectedRefId'))
      .where('action', '=', $('action')),
  )
  await insertLevels(
    tx,
    protectedRefId,
    entries.map((entry) => ({ ...entry, action })),
  )
}

/** Removes a protection; false when it is gone already. */
export async function deleteProtectedRef(tx: Transaction, id: number): Promise<boolean> {
  const { changes } = await tx.run('protectedRefs.delete', { id }, (db, $) =>
    db.deleteFrom('protectedRefs').where('id', '=', $('id')),
  )
  if (changes > 0) await touchStamp(tx, 'protectedRefs')
  return changes > 0
}
