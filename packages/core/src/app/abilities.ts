import { commitPolicy } from '../code/commits/commit-policy.ts'
import { groupPolicy } from '../directory/groups/group-policy.ts'
import { groupMemberPolicy, projectMemberPolicy } from '../directory/members/member-policy.ts'
import { projectPolicy } from '../directory/projects/project-policy.ts'
import { awardPolicy } from '../planning/awards/award-policy.ts'
import { discussionPolicy } from '../planning/discussions/discussion-policy.ts'
import { epicPolicy } from '../planning/epics/epic-policy.ts'
import { issuePolicy } from '../planning/issues/issue-policy.ts'
import { notePolicy } from '../planning/notes/note-policy.ts'
import { personalSnippetPolicy } from '../planning/snippets/personal-snippet-policy.ts'
import { snippetPolicy } from '../planning/snippets/snippet-policy.ts'
import { todoPolicy } from '../planning/todos/todo-policy.ts'
import { instancePolicy } from '../platform/access/instance-policy.ts'
import type { SubjectPolicy } from '../platform/access/subject-policy.ts'
import type { AuthOn, Contract, EndpointSpec } from '../platform/contract/endpoint.ts'
import { mergeRequestPolicy } from '../review/merge-requests/merge-request-policy.ts'
import { suggestionPolicy } from '../review/suggestions/suggestion-policy.ts'

/** The policy of every type of subject that an endpoint's `auth` can name. */
export const subjectPolicies = {
  award: awardPolicy,
  commit: commitPolicy,
  discussion: discussionPolicy,
  epic: epicPolicy,
  group: groupPolicy,
  group_member: groupMemberPolicy,
  instance: instancePolicy,
  issue: issuePolicy,
  merge_request: mergeRequestPolicy,
  note: notePolicy,
  personal_snippet: personalSnippetPolicy,
  project: projectPolicy,
  project_member: projectMemberPolicy,
  snippet: snippetPolicy,
  suggestion: suggestionPolicy,
  todo: todoPolicy,
} as const

export type SubjectType = keyof typeof subjectPolicies

type AbilityOf<P> = P extends SubjectPolicy<infer Ability, infer _Facts> ? Ability : never

/** The abilities of each type of subject. */
export type SubjectAbilities = {
  readonly [S in SubjectType]: AbilityOf<(typeof subjectPolicies)[S]>
}

/** A valid `auth`: a subject with one of its own abilities. */
type KnownAuth =
  | Exclude<EndpointSpec['auth'], { on: string }>
  | { [S in SubjectType]: AuthOn<S, SubjectAbilities[S], SubjectType> }[SubjectType]

/** A contract whose endpoints name existing subjects and abilities; others do not compile. */
export type KnownContract = Contract & Readonly<Record<string, { auth: KnownAuth }>>
