import { DomainError, isRefPattern, notFound } from '@stithy/core'
import {
  deleteProtectedRef,
  findProtectedRef,
  insertProtectedRef,
  type ProtectedRefRow,
} from '@stithy/store'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import type { App } from '../../../platform/app.ts'
import { recordProtection } from '../record-protection.ts'

/** @throws DomainError `not_found` */
export async function requireProtectedTag(
  app: App,
  { row }: ProjectSubject,
  name: string,
): Promise<ProtectedRefRow> {
  const key = { projectId: row.id, kind: 'tag', name } as const
  const found = isRefPattern(name) ? await findProtectedRef(app.db, key) : undefined
  if (found === undefined) throw notFound('Protected Tag')
  return found
}

/**
 * Protects a tag or a wildcard.
 * @throws DomainError `unprocessable` for a name that is blank, taken or invalid.
 */
export async function protectTag(
  app: App,
  { row }: ProjectSubject,
  { name, createLevel }: { name: string; createLevel: number },
): Promise<ProtectedRefRow> {
  if (name.trim() === '') throw refused("Name can't be blank")
  if (!isRefPattern(name)) throw refused('Name is not a tag name or wildcard')
  const createdAt = app.now()
  const ref = { projectId: row.id, kind: 'tag', name, createdAt } as const
  const level = { action: 'create', accessLevel: createLevel, userId: null, groupId: null } as const
  const id = await app.db.transaction(async (tx) => {
    const id = await insertProtectedRef(tx, ref, [level])
    const added = { projectId: row.id, refKind: 'tag', name, action: 'add' } as const
    if (id !== undefined) await recordProtection(tx, added, createdAt)
    return id
  })
  if (id === undefined) throw refused('Name has already been taken')
  return { id, name, createdAt }
}

function refused(reason: string): DomainError {
  return new DomainError('unprocessable', { reasons: [reason] })
}

/** Unprotects a tag or a wildcard. */
export async function unprotectTag(
  app: App,
  { row }: ProjectSubject,
  { id, name }: ProtectedRefRow,
): Promise<void> {
  await app.db.transaction(async (tx) => {
    await deleteProtectedRef(tx, id)
    const removed = { projectId: row.id, refKind: 'tag', name, action: 'remove' } as const
    await recordProtection(tx, removed, app.now())
  })
}
