import { decideOnProject, type ProjectFacts } from '../../directory/projects/project-policy.ts'
import type { CallerFacts } from '../../platform/access/caller.ts'
import type { Decision } from '../../platform/access/rule.ts'
import type { SubjectPolicy } from '../../platform/access/subject-policy.ts'
import { awarding } from '../items/awarding-rule.ts'
import { decideByItemRule, type ItemRule } from '../items/item-rule.ts'

/** What the policy needs of an issue, for one caller. */
export interface IssueFacts {
  confidential: boolean
  discussionLocked: boolean
  authorId: number
  /** Whether the caller is one of the assignees. */
  assigned: boolean
}

const changing = {
  project: 'read_issues',
  needs: 'admin_issues',
  or: ['author', 'assignee'],
  own: 'create_issue',
} as const

/**
 * Rules for issues. Confidential ones are visible to members with the right level, their author and
 * assignees.
 */
export const issueRules = {
  read_issue: { project: 'read_issues' },
  read_issue_participants: { project: 'read_project' },
  /** v4 clients expect a 403 for updating a confidential issue that is hidden from the caller. */
  update_issue: { ...changing, hidden: 'forbidden' },
  track_issue_time: changing,
  delete_issue: { project: 'delete_issues' },
  move_issue: {
    project: 'read_issues',
    needs: 'admin_issues',
    refusal: {
      code: 'bad_request',
      message: 'Cannot move issue due to insufficient permissions!',
    },
  },
  reorder_issue: { project: 'read_issues', needs: 'admin_issues' },
  link_issue: { project: 'read_issues', needs: 'admin_issues' },
  comment_on_issue: { project: 'read_issues', needs: 'comment', lockable: true },
  award_issue: { project: 'read_issues', ...awarding },
  subscribe_to_issue: { project: 'follow_issues' },
  add_issue_todo: { project: 'follow_issues' },
} as const satisfies Record<string, ItemRule>

export type IssueAbility = keyof typeof issueRules

/**
 * Whether the caller may do `ability` to the issue, which is absent for callers who may not read
 * it.
 */
export function decideOnIssue(
  ability: IssueAbility,
  caller: CallerFacts,
  project: ProjectFacts,
  issue: IssueFacts,
): Decision {
  return decideByItemRule(issueRules[ability], caller, {
    project,
    readable: mayRead(caller, project, issue),
    author: isAuthor(caller, issue),
    assignee: caller.userId !== null && issue.assigned,
    locked: issue.discussionLocked,
  })
}

function mayRead(caller: CallerFacts, project: ProjectFacts, issue: IssueFacts): boolean {
  if (!decideOnProject('read_issues', caller, project).allowed) return false
  if (!issue.confidential || isAuthor(caller, issue)) return true
  if (caller.userId !== null && issue.assigned) return true
  return decideOnProject('read_confidential_issues', caller, project).allowed
}

function isAuthor(caller: CallerFacts, issue: IssueFacts): boolean {
  return caller.userId !== null && issue.authorId === caller.userId
}

export const issuePolicy: SubjectPolicy<
  IssueAbility,
  { project: ProjectFacts; issue: IssueFacts }
> = {
  title: 'Issue',
  rules: issueRules,
  parent: 'project',
  onParent: (ability) => [issueRules[ability].project],
  decide: (ability, caller, { project, issue }) => decideOnIssue(ability, caller, project, issue),
}
