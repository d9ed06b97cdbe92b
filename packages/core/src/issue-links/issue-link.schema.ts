import { z } from 'zod'
import { Issue } from '../issues/issue.schema.ts'

/** An issue that another one is related to (catalogue: issues, 2.7). */
export const RelatedIssue = Issue.extend({ issue_link_id: z.int() })
export type RelatedIssue = z.output<typeof RelatedIssue>

/** The two ends of a relation. */
export const IssueLink = z.object({ source_issue: Issue, target_issue: Issue })
export type IssueLink = z.output<typeof IssueLink>
