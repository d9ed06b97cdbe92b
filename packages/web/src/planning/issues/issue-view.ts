import type { Issue, MergeRequest, Project, RelatedIssue, UserRef } from '@stithy/core'
import type { PageCall, Viewer } from '../../platform/pages/page-call.ts'
import type { DiscussionView } from '../discussions/discussion-view.ts'
import type { ProjectRights } from '../items/project-rights.ts'

/** What else is known of an issue. */
export interface Related {
  participants: readonly UserRef[]
  /** Undefined in tiers without links between issues. */
  links: readonly RelatedIssue[] | undefined
  mergeRequests: readonly MergeRequest[]
}

/** What the parts of the page of an issue show. */
export interface IssueView {
  call: PageCall
  project: Project
  issue: Issue
  viewer: Viewer | null
  rights: ProjectRights
  mayUpdate: boolean
  related: Related
  discussion: DiscussionView
}
