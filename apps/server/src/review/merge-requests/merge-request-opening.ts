import { anonymous, notFound } from '@stithy/core'
import type { NewMergeRequest } from '@stithy/store'
import { actingUser } from '../../directory/authentication/acting-user.ts'
import { loadProject } from '../../directory/projects/project-subject.ts'
import type { MergeRequestDraft, MergeRequestItem } from '../../planning/items/item.ts'
import { filterReaders } from '../../planning/items/readers.service.ts'
import {
  planTextEffects,
  type TextEffects,
  titleAndDescription,
} from '../../planning/mentions/text-effects.service.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { planClosings } from './closing/closing.service.ts'

/** What was loaded for a new merge request. */
export interface Opening {
  /** The assignees who can read it. */
  item: Pick<MergeRequestItem, 'project' | 'assigneeIds'>
  texts: TextEffects
  /** Ids of the issues that it closes. */
  closings: readonly number[]
}

/**
 * Loads what a new merge request needs.
 * @throws DomainError `not_found` if its project was deleted.
 */
export async function planOpening(app: App, row: NewMergeRequest): Promise<Opening> {
  const author = await actingUser(app, row.authorId)
  const caller: Caller = author ?? { facts: anonymous, user: null, scopes: [] }
  const project = await loadProject(app, String(row.projectId), caller)
  if (project === undefined) throw notFound('Project')
  const { assigneeIds } = row
  const draft: MergeRequestDraft = {
    type: 'merge_request',
    row: { ...row, state: 'opened' },
    project,
    assigneeIds,
  }
  const readers = await filterReaders(app, draft, assigneeIds)
  return {
    item: { project, assigneeIds: assigneeIds.filter((id) => readers.has(id)) },
    texts: await planTextEffects(app, caller, draft, { text: titleAndDescription(row) }),
    closings: await planClosings(app, row, row.version.commits),
  }
}
