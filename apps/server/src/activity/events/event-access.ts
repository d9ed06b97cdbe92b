import {
  type CallerFacts,
  decideOnMergeRequest,
  decideOnProject,
  decideOnSnippet,
  type ProjectAbility,
  type ProjectFacts,
  type Visibility,
} from '@stithy/core'
import type { EventAccess } from '@stithy/store'

/** Facts of a user who is neither author nor assignee. */
const unrelatedUserId = 0

/** Which events of a project the caller may see, by the policies of their targets. */
export function eventAccess(caller: CallerFacts, project: ProjectFacts): EventAccess {
  const may = (ability: ProjectAbility) => decideOnProject(ability, caller, project).allowed
  return {
    code: may('read_code'),
    milestones: may('read_milestones'),
    issues: may('read_confidential_issues') ? 'all' : may('read_issues') ? 'open' : 'none',
    mergeRequests: mergeRequestAccess(caller, project),
    snippets: snippetAccess(caller, project),
  }
}

function mergeRequestAccess(
  caller: CallerFacts,
  project: ProjectFacts,
): EventAccess['mergeRequests'] {
  const may = (assigned: boolean) => {
    const request = { authorId: unrelatedUserId, assigned, discussionLocked: false }
    return decideOnMergeRequest('read_merge_request', caller, project, request).allowed
  }
  return may(false) ? 'all' : may(true) ? 'own' : 'none'
}

function snippetAccess(caller: CallerFacts, project: ProjectFacts): EventAccess['snippets'] {
  const may = (visibility: Visibility) => {
    const snippet = { visibility, authorId: unrelatedUserId }
    return decideOnSnippet('read_snippet', caller, project, snippet).allowed
  }
  if (may('private')) return 'all'
  return may('internal') ? 'internal' : may('public') ? 'public' : 'none'
}
