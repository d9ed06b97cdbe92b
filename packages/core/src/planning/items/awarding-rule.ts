import type { ProjectAbility } from '../../directory/projects/project-policy.ts'
import type { Refusal } from '../../platform/access/rule.ts'

/**
 * Who may award emoji: everyone who may comment, also in locked discussions. For others the item
 * does not exist, except in an archived project, which rejects all changes.
 */
export const awarding = {
  needs: 'comment',
  refusal: { code: 'not_found', message: 'Award Emoji' },
} as const satisfies { needs: ProjectAbility; refusal: Refusal }
