import { suggestionPolicy } from '@stithy/core'
import {
  findMergeRequestById,
  findSuggestion,
  listMergeRequestAssignees,
  type PositionedSuggestion,
} from '@stithy/store'
import { loadProject } from '../../directory/projects/project-subject.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import {
  type DecidedCaller,
  type SubjectRequest,
  subjectType,
} from '../../platform/http/subjects.ts'
import { mergeRequestSubjectType } from '../merge-requests/merge-request-subject.ts'

/** A suggestion and its merge request. */
export interface SuggestionSubject {
  row: PositionedSuggestion
  item: MergeRequestItem
}

declare module '../../platform/http/subjects.ts' {
  interface Subjects {
    suggestion: SuggestionSubject
  }
}

/** The suggestion of `:suggestion_id`. Four queries. */
export const suggestionSubjectType = subjectType({
  policy: suggestionPolicy,
  find,
  factsOf: ({ item }: SuggestionSubject, caller: DecidedCaller) =>
    mergeRequestSubjectType.factsOf(item, caller),
})

async function find({
  app,
  caller,
  params,
}: SubjectRequest): Promise<SuggestionSubject | undefined> {
  const row = await findSuggestion(app.db, { id: Number(params.suggestion_id) })
  if (row?.noteableId == null) return undefined
  const request = await findMergeRequestById(app.db, row.noteableId)
  if (request === undefined) return undefined
  const project = await loadProject(app, String(request.projectId), caller)
  if (project === undefined) return undefined
  const assignees = await listMergeRequestAssignees(app.db, [request.id])
  const assigneeIds = assignees.map(({ userId }) => userId)
  return { row, item: { type: 'merge_request', row: request, project, assigneeIds } }
}
