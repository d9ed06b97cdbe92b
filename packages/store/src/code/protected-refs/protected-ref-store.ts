import type { AccessEntry } from '@stithy/core'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'
import type { Row } from '../../platform/schema/schema.ts'

export type ProtectedRefKind = Row<'protectedRefs'>['kind']
export type ProtectedAction = Row<'protectedRefLevels'>['action']

/** One access entry of a protected ref, and the action that it allows. */
export interface ProtectedRefLevel extends AccessEntry {
  action: ProtectedAction
}

export interface ProtectedRefKey {
  projectId: number
  kind: ProtectedRefKind
  /** As given when it was protected, wildcards included. */
  name: string
}

/** One row per access entry; `action` is null for a protected ref without entries. */
export interface ProtectionRow {
  id: number
  kind: ProtectedRefKind
  name: string
  action: ProtectedAction | null
  accessLevel: number | null
  userId: number | null
  groupId: number | null
}

/** Lists the protected branches and tags of a project with their access entries. One query. */
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

/** A protected ref without its access entries. */
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

/** Protects a branch or tag; returns the id, or undefined if it is protected already. */
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
  touchStamp(tx, stampOf('protectedRefs', ref.projectId))
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

/** Replaces the access entries of a protected ref for one action. */
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

/** Removes a protection; false if it no longer exists. */
export async function deleteProtectedRef(tx: Transaction, id: number): Promise<boolean> {
  const deleted = await tx.first('protectedRefs.delete', { id }, (db, $) =>
    db.deleteFrom('protectedRefs').where('id', '=', $('id')).returning('projectId'),
  )
  if (deleted === undefined) return false
  touchStamp(tx, stampOf('protectedRefs', deleted.projectId))
  return true
}
