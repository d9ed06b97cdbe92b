import { mergeRequestPolicy } from '@stithy/core'
import { findMergeRequest, listMergeRequestAssignees } from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { MergeRequestDraft, MergeRequestItem } from '../../planning/items/item.ts'
import { type SubjectRequest, subjectType } from '../../platform/http/subjects.ts'

/** The merge request of `:merge_request_iid`. Two queries. */
export const mergeRequestSubjectType = subjectType({
  policy: mergeRequestPolicy,
  find,
  factsOf: ({ row, project, assigneeIds }: MergeRequestDraft, { facts }) => ({
    project: project.facts,
    request: {
      discussionLocked: row.discussionLocked === 1,
      authorId: row.authorId,
      assigned: facts.userId !== null && assigneeIds.includes(facts.userId),
    },
  }),
})

async function find({
  app,
  params,
  parent: project,
}: SubjectRequest<ProjectSubject>): Promise<MergeRequestItem | undefined> {
  const iid = Number(params.merge_request_iid)
  const row = await findMergeRequest(app.db, { projectId: project.row.id, iid })
  if (row === undefined) return undefined
  const assigneeIds = (await listMergeRequestAssignees(app.db, [row.id])).map((a) => a.userId)
  return { type: 'merge_request', row, project, assigneeIds }
}
