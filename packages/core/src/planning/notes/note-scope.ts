import { decideOnGroup, type GroupFacts } from '../../directory/groups/group-policy.ts'
import { decideOnProject, type ProjectFacts } from '../../directory/projects/project-policy.ts'
import type { CallerFacts } from '../../platform/access/caller.ts'
import type { Decision } from '../../platform/access/rule.ts'
import { awarding } from '../items/awarding-rule.ts'
import { decideWithRefusal } from '../items/item-rule.ts'

/** The scope of a note: a project or, for epics, a group. */
export type NoteScope = { project: ProjectFacts } | { group: GroupFacts }

/** What the policies of notes and discussions need of the noteable. */
export interface NoteableFacts {
  scope: NoteScope
  /** Author of the merge request; undefined for other items, whose threads can't be resolved. */
  requestAuthorId?: number | undefined
}

/** Whether the caller may edit and delete other users' notes. */
export function mayModerate(caller: CallerFacts, { scope }: NoteableFacts): boolean {
  return 'group' in scope
    ? decideOnGroup('moderate_epic_notes', caller, scope.group).allowed
    : decideOnProject('moderate_notes', caller, scope.project).allowed
}

/** Whether the caller may resolve every thread: developers, and the author of the merge request. */
export function mayResolve(caller: CallerFacts, item: NoteableFacts): boolean {
  const { scope, requestAuthorId } = item
  if (requestAuthorId === undefined || 'group' in scope) return false
  const own = caller.userId !== null && requestAuthorId === caller.userId
  if (own && decideOnProject('comment', caller, scope.project).allowed) return true
  return decideOnProject('admin_merge_requests', caller, scope.project).allowed
}

/** Whether the caller may award emoji to what they can read in a project or group. */
export function decideOnAwarding(caller: CallerFacts, scope: NoteScope): Decision {
  if ('project' in scope) {
    return decideWithRefusal(awarding, awarding.needs, caller, scope.project)
  }
  const decision = decideOnGroup('comment_on_epics', caller, scope.group)
  if (decision.allowed || decision.refusal !== undefined) return decision
  return { allowed: false, refusal: awarding.refusal }
}
