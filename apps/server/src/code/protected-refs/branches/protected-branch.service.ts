import {
  conflict,
  forbidden,
  isRefPattern,
  mayUnprotect,
  notFound,
  type Protection,
  validationFailed,
} from '@stithy/core'
import {
  deleteProtectedRef,
  findProtectedRef,
  insertProtectedRef,
  listProtectedRefLevels,
  type NamedLevelRow,
  type ProtectedRefRow,
  replaceProtectedRefLevels,
  type Transaction,
} from '@stithy/store'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { recordProtection } from '../record-protection.ts'
import { loadRefAccess } from '../ref-access.service.ts'
import { levelEntry, type ProtectionBody, requestedLevels } from './access-grants.ts'

/** @throws DomainError `not_found` */
export async function requireProtectedBranch(
  app: App,
  { row }: ProjectSubject,
  name: string,
): Promise<ProtectedRefRow> {
  const key = { projectId: row.id, kind: 'branch', name } as const
  // Names that no branch can have are not queried: the database may not accept them.
  const found = isRefPattern(name) ? await findProtectedRef(app.db, key) : undefined
  if (found === undefined) throw notFound('Protected Branch')
  return found
}

/**
 * Protects a branch or a wildcard; returns the entries.
 * @throws DomainError `conflict` if it is protected already, `validation_failed`
 */
export async function protectBranch(
  app: App,
  subject: ProjectSubject,
  body: ProtectionBody,
): Promise<NamedLevelRow[]> {
  const { name } = body
  if (!isRefPattern(name)) throw validationFailed({ name: ['is not a branch name or wildcard'] })
  const levels = await requestedLevels(app, subject, body)
  const ref = { projectId: subject.row.id, kind: 'branch', name, createdAt: app.now() } as const
  const id = await app.db.transaction(async (tx) => {
    const id = await insertProtectedRef(tx, ref, levels)
    if (id !== undefined) await record(tx, app, subject, { name, action: 'add' })
    return id
  })
  if (id === undefined) throw conflict(`Protected branch '${name}' already exists`)
  return listProtectedRefLevels(app.db, [id])
}

/**
 * Removes a protection.
 * @throws DomainError `forbidden` if only other users may unprotect it.
 */
export async function unprotectBranch(
  app: App,
  caller: Caller,
  subject: ProjectSubject,
  { id, name }: ProtectedRefRow,
): Promise<void> {
  await requireUnprotect(app, caller, subject, name)
  await app.db.transaction(async (tx) => {
    await deleteProtectedRef(tx, id)
    await record(tx, app, subject, { name, action: 'remove' })
  })
}

/** The deprecated parameters: whether developers may push or merge, if sent. */
export interface DeveloperRights {
  push: boolean | undefined
  merge: boolean | undefined
}

/**
 * Protects one branch, or changes its protection: rights that are not sent stay, and default to
 * maintainers for a new protection.
 * @throws DomainError `forbidden` if the caller may not remove the existing protection.
 */
export async function protectForDevelopers(
  app: App,
  caller: Caller,
  subject: ProjectSubject,
  name: string,
  rights: DeveloperRights,
): Promise<void> {
  const key = { projectId: subject.row.id, kind: 'branch', name } as const
  const found = await findProtectedRef(app.db, key)
  const changed = (['push', 'merge'] as const).filter((action) => rights[action] !== undefined)
  if (found === undefined) {
    const names = {
      push_access_level: levelOf(rights.push),
      merge_access_level: levelOf(rights.merge),
    }
    await protectBranch(app, subject, { name, ...names })
    return
  }
  if (changed.length === 0) return
  await requireUnprotect(app, caller, subject, name)
  await app.db.transaction(async (tx) => {
    for (const action of changed) {
      const entries = [levelEntry(levelOf(rights[action]))]
      await replaceProtectedRefLevels(tx, found.id, action, entries)
    }
    await record(tx, app, subject, { name, action: 'change' })
  })
}

function record(
  tx: Transaction,
  app: App,
  { row }: ProjectSubject,
  change: { name: string; action: 'add' | 'change' | 'remove' },
): Promise<void> {
  const changed = { projectId: row.id, refKind: 'branch', ...change } as const
  return recordProtection(tx, changed, app.now())
}

function levelOf(developers: boolean | undefined): 30 | 40 {
  return developers === true ? 30 : 40
}

/** Removes the protection of exactly this name, if there is one. @throws DomainError `forbidden` */
export async function unprotectByName(
  app: App,
  caller: Caller,
  subject: ProjectSubject,
  name: string,
): Promise<void> {
  const key = { projectId: subject.row.id, kind: 'branch', name } as const
  const found = await findProtectedRef(app.db, key)
  if (found !== undefined) await unprotectBranch(app, caller, subject, found)
}

async function requireUnprotect(
  app: App,
  caller: Caller,
  subject: ProjectSubject,
  name: string,
): Promise<void> {
  const { rules, actor } = await loadRefAccess(app, { subject, caller })
  const isThis = (protection: Protection) => protection.name === name
  const protection = rules.branches(name).find(isThis)
  if (protection === undefined || mayUnprotect(protection, actor)) return
  throw forbidden('You are not allowed to change the protection of this branch')
}
