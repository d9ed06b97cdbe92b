import {
  type CallerFacts,
  decideOnMergeRequest,
  decideOnProject,
  decideOnSnippet,
  type ProjectAbility,
  type ProjectFacts,
  type Visibility,
} from '@stithy/core'
import type { EventReach } from '@stithy/store'

/** Nobody: what the policies say of the things of others. */
const somebodyElse = 0

/** Which events of a project the caller may see, by the policies of what they are about. */
export function eventReach(caller: CallerFacts, project: ProjectFacts): EventReach {
  const may = (ability: ProjectAbility) => decideOnProject(ability, caller, project).allowed
  return {
    code: may('read_code'),
    milestones: may('read_milestones'),
    issues: may('read_confidential_issues') ? 'all' : may('read_issues') ? 'open' : 'none',
    mergeRequests: mergeRequestReach(caller, project),
    snippets: snippetReach(caller, project),
  }
}

function mergeRequestReach(
  caller: CallerFacts,
  project: ProjectFacts,
): EventReach['mergeRequests'] {
  const may = (assigned: boolean) => {
    const request = { authorId: somebodyElse, assigned, discussionLocked: false }
    return decideOnMergeRequest('read_merge_request', caller, project, request).allowed
  }
  return may(false) ? 'all' : may(true) ? 'own' : 'none'
}

function snippetReach(caller: CallerFacts, project: ProjectFacts): EventReach['snippets'] {
  const may = (visibility: Visibility) => {
    const snippet = { visibility, authorId: somebodyElse }
    return decideOnSnippet('read_snippet', caller, project, snippet).allowed
  }
  if (may('private')) return 'all'
  return may('internal') ? 'internal' : may('public') ? 'public' : 'none'
}
