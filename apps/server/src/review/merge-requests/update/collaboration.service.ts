import { decideOnProject } from '@stithy/core'
import { listSharedBranches } from '@stithy/store'
import { loadBranchRights } from '../../../code/protected-refs/ref-access.service.ts'
import { actingUser } from '../../../directory/authentication/acting-user.ts'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import { loadProject } from '../../../directory/projects/project-subject.ts'
import type { ItemChange } from '../../../planning/items/changes/item-change.ts'
import type { MergeRequestItem } from '../../../planning/items/item.ts'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'

/** The branches of a merge request, with the projects as the caller sees them. */
interface Collaboration {
  source: ProjectSubject
  sourceBranch: string
  target: ProjectSubject
}

/**
 * Whether the caller may let members of the target push to the source branch: of a fork, if neither
 * project is private, the branch is not protected, and the caller may push to it. At most three
 * queries.
 */
export async function mayCollaborate(
  app: App,
  caller: Caller,
  { source, sourceBranch, target }: Collaboration,
): Promise<boolean> {
  if (source.row.id === target.row.id) return false
  if (source.row.visibility === 'private' || target.row.visibility === 'private') return false
  const rights = (await loadBranchRights(app, { subject: source, caller }))(sourceBranch)
  return rights.canPush && !rights.protected
}

/** The setting that an update results in; undefined, which changes nothing, unless allowed. */
export async function planCollaboration(
  app: App,
  caller: Caller,
  { row, project: target }: MergeRequestItem,
  { allowCollaboration: asked }: ItemChange,
): Promise<boolean | undefined> {
  if (asked === undefined || row.sourceProjectId === null) return undefined
  const source = await loadProject(app, String(row.sourceProjectId), caller)
  if (source === undefined) return undefined
  const { sourceBranch } = row
  return (await mayCollaborate(app, caller, { source, sourceBranch, target })) ? asked : undefined
}

/** Merge requests of a project that are looked at: the newest. */
const maxShared = 100

/**
 * The branches of a project that the caller may push to as a member of the target of an open merge
 * request, as long as neither project is private and its author may push there. One query, and two
 * for each target and author.
 */
export async function sharedBranches(
  app: App,
  caller: Pick<Caller, 'facts'>,
  source: ProjectSubject,
): Promise<ReadonlySet<string>> {
  const { id: projectId } = source.row
  const isMember = memoized((id) => maySharePushes(app, caller, id))
  const isTrusted = memoized((id) => mayPushTo(app, id, projectId))
  const branches = new Set<string>()
  for (const shared of await listSharedBranches(app.db, { projectId, limit: maxShared })) {
    const { branch, targetProjectId, authorId } = shared
    if (branches.has(branch) || !(await isMember(targetProjectId))) continue
    if (await isTrusted(authorId)) branches.add(branch)
  }
  return branches
}

async function maySharePushes(
  app: App,
  caller: Pick<Caller, 'facts'>,
  targetId: number,
): Promise<boolean> {
  const target = await loadProject(app, String(targetId), caller)
  if (target === undefined || target.row.visibility === 'private') return false
  return decideOnProject('push_code', caller.facts, target.facts).allowed
}

async function mayPushTo(app: App, userId: number, projectId: number): Promise<boolean> {
  const user = await actingUser(app, userId)
  const project = user && (await loadProject(app, String(projectId), user))
  if (user === undefined || project === undefined) return false
  return decideOnProject('push_code', user.facts, project.facts).allowed
}

function memoized(decide: (id: number) => Promise<boolean>): (id: number) => Promise<boolean> {
  const known = new Map<number, Promise<boolean>>()
  return (id) => {
    const decision = known.get(id) ?? decide(id)
    known.set(id, decision)
    return decision
  }
}
