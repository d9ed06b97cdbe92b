import { anonymous } from '@stithy/core'
import type { MergeRequestRow } from '@stithy/store'
import { loadProject } from '../../directory/projects/project-subject.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'

/**
 * Loads a merge request for a job, which has no caller: as an anonymous user sees it, without its
 * assignees; undefined if its project was deleted. One query.
 */
export async function loadItemForJob(
  app: App,
  row: MergeRequestRow,
): Promise<MergeRequestItem | undefined> {
  const project = await loadProject(app, String(row.projectId), { facts: anonymous })
  return project && { type: 'merge_request', row, project, assigneeIds: [] }
}
