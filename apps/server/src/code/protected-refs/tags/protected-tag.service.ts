import { DomainError, isRefPattern, notFound } from '@stithy/core'
import {
  deleteProtectedRef,
  findProtectedRef,
  insertProtectedRef,
  type ProtectedRefRow,
} from '@stithy/store'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import type { App } from '../../../platform/app.ts'

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
  const id = await app.db.transaction((tx) => insertProtectedRef(tx, ref, [level]))
  if (id === undefined) throw refused('Name has already been taken')
  return { id, name, createdAt }
}

function refused(reason: string): DomainError {
  return new DomainError('unprocessable', { reasons: [reason] })
}

/** Unprotects a tag or a wildcard. */
export async function unprotectTag(app: App, { id }: ProtectedRefRow): Promise<void> {
  await app.db.transaction((tx) => deleteProtectedRef(tx, id))
}
