import { decideOnProject, type ProjectFacts } from '../../directory/projects/project-policy.ts'
import { type CallerFacts, isInternalUser } from '../../platform/access/caller.ts'
import type { Visibility } from '../../platform/access/level.ts'
import type { Decision } from '../../platform/access/rule.ts'
import type { SubjectPolicy } from '../../platform/access/subject-policy.ts'
import { awarding } from '../items/awarding-rule.ts'
import { decideByItemRule, type ItemRule } from '../items/item-rule.ts'

/** What the policy needs of a snippet. */
export interface SnippetFacts {
  visibility: Visibility
  authorId: number
}

interface SnippetRule extends ItemRule {
  /** True when only the author and administrators may do it to an internal snippet. */
  exceptInternal?: true
}

const entry = { project: 'read_snippets' } as const

const changing = {
  ...entry,
  needs: 'admin_snippets',
  or: ['author'],
  own: 'comment',
  exceptInternal: true,
} as const

/** Rules for project snippets. */
export const snippetRules = {
  read_snippet: entry,
  update_snippet: changing,
  delete_snippet: changing,
  comment_on_snippet: { ...entry, needs: 'comment' },
  award_snippet: { ...entry, ...awarding },
} as const satisfies Record<string, SnippetRule>

export type SnippetAbility = keyof typeof snippetRules

/**
 * Whether the caller may do `ability` to the snippet, which is absent for callers who may not read
 * it.
 */
export function decideOnSnippet(
  ability: SnippetAbility,
  caller: CallerFacts,
  project: ProjectFacts,
  snippet: SnippetFacts,
): Decision {
  const rule: SnippetRule = snippetRules[ability]
  const author = caller.userId !== null && snippet.authorId === caller.userId
  const decision = decideByItemRule(rule, caller, {
    project,
    readable: mayRead(project, caller, snippet, author),
    author,
    assignee: false,
    locked: false,
  })
  const closed = rule.exceptInternal === true && snippet.visibility === 'internal'
  return decision.allowed && closed && !author && !caller.admin ? { allowed: false } : decision
}

function mayRead(
  project: ProjectFacts,
  caller: CallerFacts,
  { visibility }: SnippetFacts,
  author: boolean,
): boolean {
  if (!decideOnProject('read_snippets', caller, project).allowed) return false
  if (author || caller.admin || project.level >= 10) return true
  return visibility === 'public' || (visibility === 'internal' && isInternalUser(caller))
}

export const snippetPolicy: SubjectPolicy<
  SnippetAbility,
  { project: ProjectFacts; snippet: SnippetFacts }
> = {
  title: 'Snippet',
  rules: snippetRules,
  parent: 'project',
  onParent: (ability) => [snippetRules[ability].project],
  decide: (ability, caller, { project, snippet }) =>
    decideOnSnippet(ability, caller, project, snippet),
}
