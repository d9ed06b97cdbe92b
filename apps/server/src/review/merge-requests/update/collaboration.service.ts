import { loadBranchRights } from '../../../code/protected-refs/ref-access.service.ts'
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
