import {
  type AccessEntry,
  type BranchRights,
  branchRights,
  decideOnProject,
  type Protection,
  protectionFinder,
  protectsEmptyRepository,
  type RefActor,
  type RefRules,
} from '@stithy/core'
import {
  listProtections,
  listSharedGroupIds,
  type ProtectedRefKind,
  type ProtectionRow,
} from '@stithy/store'
import {
  collaborationBranches,
  type ProjectSubject,
} from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'

/** What protects the refs of a project, and the actor who wants to change them. */
export interface RefAccess {
  rules: RefRules
  actor: RefActor
}

/** The project, and the caller whose access is loaded. */
export interface RefAccessRequest {
  subject: ProjectSubject
  caller: Caller
  /** A deploy key with write access, on behalf of the caller. */
  deployKey?: boolean
}

/** Loads what the rules for refs need, for any number of refs: at most three queries. */
export async function loadRefAccess(
  app: App,
  { subject, caller, deployKey = false }: RefAccessRequest,
): Promise<RefAccess> {
  const { row, facts } = subject
  const rows = await listProtections(app.db, row.id)
  const groupIds = await groupsOf(app, row.id, caller, rows)
  const { userId, admin } = caller.facts
  const mayPush = deployKey || decideOnProject('push_code', caller.facts, facts).allowed
  return {
    rules: {
      defaultBranch: row.defaultBranch,
      protectsFirstBranch:
        row.emptyRepo === 1 && protectsEmptyRepository(app.settings.default_branch_protection),
      branches: protectionFinder(protectionsOf(rows, 'branch')),
      tags: protectionFinder(protectionsOf(rows, 'tag')),
    },
    actor: {
      ...{ userId, admin, level: facts.level, groupIds, mayPush, deployKey },
      collaborationBranches: await collaborationBranches(app, caller, subject),
    },
  }
}

/** Loaded only if an entry names a group: an expired share grants no access. */
async function groupsOf(
  app: App,
  projectId: number,
  { facts: { userId } }: Caller,
  rows: readonly ProtectionRow[],
): Promise<ReadonlySet<number>> {
  if (userId === null || rows.every(({ groupId }) => groupId === null)) return new Set()
  return listSharedGroupIds(app.db, { projectId, userId, today: dayOf(app.now()) })
}

type Draft = { [K in keyof Protection]: K extends 'name' ? string : AccessEntry[] }

/** The protections of one kind, with their entries by action. */
export function protectionsOf(
  rows: readonly ProtectionRow[],
  kind: ProtectedRefKind,
): Protection[] {
  const protections = new Map<number, Draft>()
  for (const { id, name, action, accessLevel, userId, groupId, ...row } of rows) {
    if (row.kind !== kind) continue
    const found = protections.get(id)
    const protection = found ?? { name, push: [], merge: [], unprotect: [], create: [] }
    if (found === undefined) protections.set(id, protection)
    if (action !== null) protection[action].push({ accessLevel, userId, groupId })
  }
  return [...protections.values()]
}

/**
 * What the caller may do with each branch of a project, by the branch's name: push to it, merge
 * into it, and how it is protected. At most three queries for any number of branches.
 */
export async function loadBranchRights(
  app: App,
  request: RefAccessRequest,
): Promise<(name: string) => BranchRights> {
  const { rules, actor } = await loadRefAccess(app, request)
  return (name) => branchRights(name, rules, actor)
}
