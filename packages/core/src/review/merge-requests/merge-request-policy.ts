import {
  decideOnProject,
  isFeatureAvailable,
  type ProjectFacts,
} from '../../directory/projects/project-policy.ts'
import { awarding } from '../../planning/items/awarding-rule.ts'
import { decideByItemRule, type ItemRule } from '../../planning/items/item-rule.ts'
import type { CallerFacts } from '../../platform/access/caller.ts'
import type { Decision } from '../../platform/access/rule.ts'
import type { SubjectPolicy } from '../../platform/access/subject-policy.ts'

/** What the policy needs of a merge request, for one caller. */
export interface MergeRequestFacts {
  discussionLocked: boolean
  authorId: number
  /** Whether the caller is one of the assignees. */
  assigned: boolean
}

/**
 * Less than `read_merge_requests` is required of the project: authors and assignees may read a
 * merge request as guests. Others get the 403 of the list.
 */
const entry = { project: 'read_project', hidden: 'forbidden' } as const

/** As v4 clients expect of notes, discussions and awards, on what the caller may not read: 404. */
const noteable = { project: 'read_project' } as const

const changing = {
  ...entry,
  needs: 'admin_merge_requests',
  or: ['author', 'assignee'],
  own: 'comment',
} as const

/** Rules for merge requests. */
export const mergeRequestRules = {
  show_merge_request: entry,
  read_merge_request: noteable,
  update_merge_request: changing,
  track_merge_request_time: changing,
  accept_merge_request: {
    ...entry,
    needs: 'admin_merge_requests',
    refusal: { code: 'unauthorized' },
  },
  cancel_automatic_merge: {
    ...entry,
    needs: 'admin_merge_requests',
    or: ['author'],
    own: 'comment',
    refusal: { code: 'unauthorized' },
  },
  // Requires a push to the source branch, which may be in a fork: the service decides on it there.
  rebase_merge_request: { ...entry, needs: 'comment' },
  merge_to_ref: { ...entry, needs: 'push_code' },
  approve_merge_request: {
    ...entry,
    needs: 'admin_merge_requests',
    refusal: { code: 'unauthorized' },
  },
  delete_merge_request: { ...entry, needs: 'delete_merge_requests' },
  read_merge_request_pipelines: { ...entry, needs: 'read_commit_status' },
  comment_on_merge_request: { ...noteable, needs: 'comment', lockable: true },
  award_merge_request: { ...noteable, ...awarding },
  add_merge_request_todo: { project: 'follow', hidden: 'forbidden' },
} as const satisfies Record<string, ItemRule>

export type MergeRequestAbility = keyof typeof mergeRequestRules

/**
 * Whether the caller may do `ability` to the merge request; its notes are absent for callers who may
 * not read it.
 */
export function decideOnMergeRequest(
  ability: MergeRequestAbility,
  caller: CallerFacts,
  project: ProjectFacts,
  request: MergeRequestFacts,
): Decision {
  const author = caller.userId !== null && request.authorId === caller.userId
  const assignee = caller.userId !== null && request.assigned
  return decideByItemRule(mergeRequestRules[ability], caller, {
    project,
    readable: mayRead(caller, project, author || assignee),
    author,
    assignee,
    locked: request.discussionLocked,
  })
}

function mayRead(caller: CallerFacts, project: ProjectFacts, own: boolean): boolean {
  if (decideOnProject('read_merge_requests', caller, project).allowed) return true
  const available =
    project.features.repository !== 'disabled' &&
    isFeatureAvailable('merge_requests', caller, { ...project, level: Math.max(project.level, 20) })
  return available && project.level >= 10 && own
}

export const mergeRequestPolicy: SubjectPolicy<
  MergeRequestAbility,
  { project: ProjectFacts; request: MergeRequestFacts }
> = {
  title: 'Merge Request',
  rules: mergeRequestRules,
  parent: 'project',
  onParent: (ability) => [mergeRequestRules[ability].project],
  decide: (ability, caller, { project, request }) =>
    decideOnMergeRequest(ability, caller, project, request),
}
