import type { CallerFacts } from './caller.ts'
import { decideOnProject, isFeatureAvailable, type ProjectFacts } from './project-policy.ts'
import type { Decision } from './rule.ts'

/** What the policy knows of a merge request, seen from one caller. */
export interface MergeRequestFacts {
  discussionLocked: boolean
  authorId: number
  /** Whether the caller is one of the assignees. */
  assigned: boolean
}

export type MergeRequestAbility =
  | 'read_merge_request'
  | 'update_merge_request'
  | 'comment_on_merge_request'
  | 'resolve_discussions'

/**
 * Whether the caller may do `ability` to the merge request (catalogue: merge_requests, 2 and 6; permissions,
 * rules 8 and 9): its author and its assignees read and change it with the level of a guest.
 */
export function decideOnMergeRequest(
  ability: MergeRequestAbility,
  caller: CallerFacts,
  project: ProjectFacts,
  request: MergeRequestFacts,
): Decision {
  if (!mayRead(caller, project, request)) return { allowed: false }
  if (ability === 'read_merge_request') return { allowed: true }
  if (ability === 'comment_on_merge_request') {
    if (request.discussionLocked && project.level < 10 && !caller.admin) return { allowed: false }
    return decideOnProject('comment', caller, project)
  }
  const own =
    ability === 'update_merge_request' ? isOwn(caller, request) : isAuthor(caller, request)
  if (own && decideOnProject('comment', caller, project).allowed) return { allowed: true }
  return decideOnProject('admin_merge_requests', caller, project)
}

function mayRead(caller: CallerFacts, project: ProjectFacts, request: MergeRequestFacts): boolean {
  if (decideOnProject('read_merge_requests', caller, project).allowed) return true
  const available =
    project.features.repository !== 'disabled' &&
    isFeatureAvailable('merge_requests', caller, { ...project, level: Math.max(project.level, 20) })
  return available && project.level >= 10 && isOwn(caller, request)
}

function isAuthor(caller: CallerFacts, request: MergeRequestFacts): boolean {
  return caller.userId !== null && request.authorId === caller.userId
}

function isOwn(caller: CallerFacts, request: MergeRequestFacts): boolean {
  return isAuthor(caller, request) || (caller.userId !== null && request.assigned)
}
