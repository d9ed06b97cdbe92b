import { decideOnGroup, type GroupAbility } from '../../directory/groups/group-policy.ts'
import type { ProjectAbility } from '../../directory/projects/project-policy.ts'
import type { CallerFacts } from '../../platform/access/caller.ts'
import type { Decision, Refusal } from '../../platform/access/rule.ts'
import type { NoteScope } from '../notes/note-scope.ts'
import { decideWithRefusal } from './item-rule.ts'

/**
 * Who may award emoji: everyone who may comment, also in locked discussions. For others the item
 * does not exist, except in an archived project, which rejects all changes.
 */
export const awarding = {
  needs: 'comment',
  refusal: { code: 'not_found', message: 'Award Emoji' },
} as const satisfies { needs: ProjectAbility; refusal: Refusal }

/** The same for epics. */
export const epicAwarding = {
  needs: 'comment_on_epics',
  refusal: awarding.refusal,
} as const satisfies { needs: GroupAbility; refusal: Refusal }

/** Whether the caller may award emoji to what they can read in a project or group. */
export function decideOnAwarding(caller: CallerFacts, scope: NoteScope): Decision {
  if ('project' in scope) {
    return decideWithRefusal(awarding, awarding.needs, caller, scope.project)
  }
  const decision = decideOnGroup(epicAwarding.needs, caller, scope.group)
  if (decision.allowed || decision.refusal !== undefined) return decision
  return { allowed: false, refusal: epicAwarding.refusal }
}
