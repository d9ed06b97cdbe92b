import type { Issue, ItemsQuery } from '@stithy/core'
import { listVersionCommits, type Page, type PageRequest } from '@stithy/store'
import { viewIssues } from '../../../planning/issues/issue-views.service.ts'
import type { MergeRequestItem } from '../../../planning/items/item.ts'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { slicePage } from '../../../platform/http/slice-page.ts'
import { closedIssues } from './closing.service.ts'

/**
 * Lists the issues that the texts and commits of a merge request close, as far as the caller may
 * read them, oldest first.
 */
export async function listClosedIssues(
  app: App,
  caller: Caller,
  { row }: MergeRequestItem,
  { max_description_length: maxDescriptionLength }: ItemsQuery,
  request: PageRequest,
): Promise<Page<Issue>> {
  const commits = await listVersionCommits(app.db, row.latestVersionId)
  const issues = await closedIssues(app, caller, row, commits)
  const named = new Map(issues.map((issue) => [issue.row.id, issue.row]))
  const rows = [...named.values()].sort((left, right) => left.id - right.id)
  const page = slicePage(rows, request)
  const options = { brief: true, maxDescriptionLength }
  return { ...page, items: await viewIssues(app, caller, page.items, options) }
}
