import { z } from 'zod'
import { Issue } from '../issues/issue.schema.ts'

/** An issue that is linked to another one. */
export const RelatedIssue = Issue.extend({ issue_link_id: z.int() })
export type RelatedIssue = z.output<typeof RelatedIssue>

/** The two issues of a link. */
export const IssueLink = z.object({ source_issue: Issue, target_issue: Issue })
export type IssueLink = z.output<typeof IssueLink>
