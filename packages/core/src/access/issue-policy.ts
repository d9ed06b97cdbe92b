import type { CallerFacts } from './caller.ts'
import { decideOnProject, type ProjectFacts } from './project-policy.ts'
import type { Decision } from './rule.ts'

/** What the policy knows of an issue, seen from one caller. */
export interface IssueFacts {
  confidential: boolean
  discussionLocked: boolean
  authorId: number
  /** Whether the caller is one of the assignees. */
  assigned: boolean
}

const issueAbilities = ['read_issue', 'update_issue', 'comment_on_issue'] as const
export type IssueAbility = (typeof issueAbilities)[number]

/**
 * Whether the caller may do `ability` to the issue (catalogue: issues, 5; permissions, rules 6, 8 and 9).
 * What depends on the level alone is an ability of the project: `admin_issues`, `delete_issues`.
 */
export function decideOnIssue(
  ability: IssueAbility,
  caller: CallerFacts,
  project: ProjectFacts,
  issue: IssueFacts,
): Decision {
  if (!mayRead(caller, project, issue)) return { allowed: false }
  if (ability === 'read_issue') return { allowed: true }
  if (ability === 'update_issue') {
    const own = isOwn(caller, issue) && decideOnProject('create_issue', caller, project).allowed
    return own ? { allowed: true } : decideOnProject('admin_issues', caller, project)
  }
  if (issue.discussionLocked && project.level < 10 && !caller.admin) return { allowed: false }
  return decideOnProject('comment', caller, project)
}

function mayRead(caller: CallerFacts, project: ProjectFacts, issue: IssueFacts): boolean {
  if (!decideOnProject('read_issues', caller, project).allowed) return false
  if (!issue.confidential || isOwn(caller, issue)) return true
  return decideOnProject('read_confidential_issues', caller, project).allowed
}

function isOwn(caller: CallerFacts, issue: IssueFacts): boolean {
  return caller.userId !== null && (issue.authorId === caller.userId || issue.assigned)
}
