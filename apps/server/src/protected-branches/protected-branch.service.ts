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
} from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { loadRefAccess } from '../pushes/ref-access.service.ts'
import { levelEntry, type ProtectionBody, requestedLevels } from './access-grants.ts'

/** @throws DomainError `not_found` */
export async function requireProtectedBranch(
  app: App,
  { row }: ProjectSubject,
  name: string,
): Promise<ProtectedRefRow> {
  const key = { projectId: row.id, kind: 'branch', name } as const
  // What can be no name is not looked for: the database need not bear it.
  const found = isRefPattern(name) ? await findProtectedRef(app.db, key) : undefined
  if (found === undefined) throw notFound('Protected Branch')
  return found
}

/**
 * Protects a branch or a wildcard; answers the entries.
 * @throws DomainError `conflict` where it is protected already, `validation_failed`
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
  const id = await app.db.transaction((tx) => insertProtectedRef(tx, ref, levels))
  if (id === undefined) throw conflict(`Protected branch '${name}' already exists`)
  return listProtectedRefLevels(app.db, [id])
}

/** @throws DomainError `forbidden` where others than the caller are named for that. */
export async function unprotectBranch(
  app: App,
  caller: Caller,
  subject: ProjectSubject,
  { id, name }: ProtectedRefRow,
): Promise<void> {
  await requireUnprotect(app, caller, subject, name)
  await app.db.transaction((tx) => deleteProtectedRef(tx, id))
}

/** What old clients may say of a branch: whether developers may, or nothing. */
export interface DeveloperRights {
  push: boolean | undefined
  merge: boolean | undefined
}

/**
 * Protects one branch, or changes how it is protected: what is not said stays, and is left to
 * maintainers where the protection is new (catalogue: repository, 5).
 * @throws DomainError `forbidden` where a protection is there that the caller may not lift.
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
  })
}

function levelOf(developers: boolean | undefined): 30 | 40 {
  return developers === true ? 30 : 40
}

/** Lifts the protection of this very name, where there is one. @throws DomainError `forbidden` */
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
  throw forbidden('You are not allowed to change how this branch is protected')
}
