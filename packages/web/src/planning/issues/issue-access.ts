import type { Issue } from '@stithy/core'
import type { Viewer } from '../../platform/pages/page-call.ts'
import type { ProjectRights } from '../items/project-rights.ts'

/** Whether the viewer may change an issue: planners, and its author and assignees. */
export function mayUpdateIssue(
  { maySpeak, mayPlan }: ProjectRights,
  issue: Issue,
  viewer: Viewer | null,
): boolean {
  if (mayPlan) return true
  if (!maySpeak || viewer === null) return false
  return issue.author.id === viewer.id || issue.assignees.some(({ id }) => id === viewer.id)
}
