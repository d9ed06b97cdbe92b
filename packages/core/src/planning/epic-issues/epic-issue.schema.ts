import { z } from 'zod'
import { Epic } from '../epics/epic.schema.ts'
import { Issue } from '../issues/issue.schema.ts'

/** An issue of an epic. */
export const EpicIssue = Issue.extend({
  /** The id of its link to the epic. */
  epic_issue_id: z.int(),
  /** Grows in the order of the epic's issues; changes when others are moved. */
  relative_position: z.int(),
})
export type EpicIssue = z.output<typeof EpicIssue>

/** The link between an epic and an issue. */
export const EpicIssueLink = z.object({
  id: z.int(),
  epic: Epic,
  issue: Issue,
  relative_position: z.int(),
})
export type EpicIssueLink = z.output<typeof EpicIssueLink>
