import { decideOnProject, type ProjectFacts } from '../../directory/projects/project-policy.ts'
import type { CallerFacts } from '../../platform/access/caller.ts'
import type { Decision } from '../../platform/access/rule.ts'
import type { SubjectPolicy } from '../../platform/access/subject-policy.ts'
import {
  decideOnMergeRequest,
  type MergeRequestFacts,
} from '../merge-requests/merge-request-policy.ts'

/** What the policy needs of a suggestion: its merge request, for one caller. */
export interface SuggestionFacts {
  project: ProjectFacts
  request: MergeRequestFacts
}

/** Rules for suggestions. */
export const suggestionRules = {
  // Requires a push to the source branch, which may be in a fork: the service decides on it there.
  apply_suggestion: { needs: 'comment' },
} as const

export type SuggestionAbility = keyof typeof suggestionRules

/** Whether the caller may do `ability` to a suggestion, which exists only for readers. */
export function decideOnSuggestion(
  ability: SuggestionAbility,
  caller: CallerFacts,
  { project, request }: SuggestionFacts,
): Decision {
  const reading = decideOnMergeRequest('read_merge_request', caller, project, request)
  if (!reading.allowed) return reading
  return decideOnProject(suggestionRules[ability].needs, caller, project)
}

export const suggestionPolicy: SubjectPolicy<SuggestionAbility, SuggestionFacts> = {
  title: 'Suggestion',
  rules: suggestionRules,
  decide: decideOnSuggestion,
}
