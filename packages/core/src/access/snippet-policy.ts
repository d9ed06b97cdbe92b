import { type CallerFacts, isInsider } from './caller.ts'
import type { Visibility } from './level.ts'
import { decideOnProject, type ProjectFacts } from './project-policy.ts'
import type { Decision } from './rule.ts'

/** What the policy knows of a snippet. */
export interface SnippetFacts {
  visibility: Visibility
  authorId: number
}

export type SnippetAbility = 'read_snippet' | 'update_snippet' | 'comment_on_snippet'

/**
 * Whether the caller may do `ability` to a snippet (catalogue: planning, 6); `project` is undefined for a
 * personal one, which nobody comments on.
 */
export function decideOnSnippet(
  ability: SnippetAbility,
  caller: CallerFacts,
  project: ProjectFacts | undefined,
  snippet: SnippetFacts,
): Decision {
  const author = caller.userId !== null && snippet.authorId === caller.userId
  if (project === undefined) return decideOnPersonal(ability, caller, snippet, author)
  if (!mayReadIn(project, caller, snippet, author)) return { allowed: false }
  if (ability === 'read_snippet') return { allowed: true }
  if (ability === 'comment_on_snippet') return decideOnProject('comment', caller, project)
  if (author && decideOnProject('comment', caller, project).allowed) return { allowed: true }
  if (snippet.visibility === 'internal' && !caller.admin) return { allowed: false }
  return decideOnProject('admin_snippets', caller, project)
}

function decideOnPersonal(
  ability: SnippetAbility,
  caller: CallerFacts,
  { visibility }: SnippetFacts,
  author: boolean,
): Decision {
  if (ability === 'comment_on_snippet') return { allowed: false }
  if (author || caller.admin) return { allowed: true }
  if (ability === 'update_snippet') return { allowed: false }
  if (visibility === 'internal') return { allowed: isInsider(caller) }
  return { allowed: visibility === 'public' }
}

function mayReadIn(
  project: ProjectFacts,
  caller: CallerFacts,
  { visibility }: SnippetFacts,
  author: boolean,
): boolean {
  if (!decideOnProject('read_snippets', caller, project).allowed) return false
  if (author || caller.admin || project.level >= 10) return true
  return visibility === 'public' || (visibility === 'internal' && isInsider(caller))
}
