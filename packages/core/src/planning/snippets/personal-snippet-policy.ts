import type { ProjectFacts } from '../../directory/projects/project-policy.ts'
import { type CallerFacts, isInternalUser } from '../../platform/access/caller.ts'
import { absent, allowed, type Decision } from '../../platform/access/rule.ts'
import type { SubjectPolicy } from '../../platform/access/subject-policy.ts'
import { decideOnSnippet, type SnippetFacts } from './snippet-policy.ts'

/** What the policy needs of a snippet that is addressed by id alone. */
export interface PersonalSnippetFacts {
  snippet: SnippetFacts
  /** Undefined for a personal snippet. */
  project: ProjectFacts | undefined
}

interface PersonalSnippetRule {
  /** Who may besides the author and administrators: callers who may see its visibility. */
  nonMembers?: true
  /** Whether it applies to project snippets, too. */
  inProjects?: true
}

/** Rules for snippets addressed by id; for other callers they do not exist. */
export const personalSnippetRules = {
  read_personal_snippet: { nonMembers: true, inProjects: true },
  update_personal_snippet: {},
  delete_personal_snippet: {},
} as const satisfies Record<string, PersonalSnippetRule>

export type PersonalSnippetAbility = keyof typeof personalSnippetRules

export function decideOnPersonalSnippet(
  ability: PersonalSnippetAbility,
  caller: CallerFacts,
  { snippet, project }: PersonalSnippetFacts,
): Decision {
  const rule: PersonalSnippetRule = personalSnippetRules[ability]
  if (project !== undefined) {
    const isIncluded = rule.inProjects === true
    return isIncluded && decideOnSnippet('read_snippet', caller, project, snippet).allowed
      ? allowed
      : absent
  }
  if (caller.admin || (caller.userId !== null && snippet.authorId === caller.userId)) return allowed
  return rule.nonMembers === true && isVisible(caller, snippet) ? allowed : absent
}

function isVisible(caller: CallerFacts, { visibility }: SnippetFacts): boolean {
  return visibility === 'internal' ? isInternalUser(caller) : visibility === 'public'
}

export const personalSnippetPolicy: SubjectPolicy<PersonalSnippetAbility, PersonalSnippetFacts> = {
  title: 'Snippet',
  rules: personalSnippetRules,
  decide: decideOnPersonalSnippet,
}
