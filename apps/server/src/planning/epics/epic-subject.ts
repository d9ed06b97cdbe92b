import { epicPolicy } from '@stithy/core'
import { findEpic, findEpicByNumber } from '@stithy/store'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import { type SubjectRequest, subjectType } from '../../platform/http/subjects.ts'
import type { EpicDraft, EpicItem } from '../items/item.ts'

declare module '../../platform/http/subjects.ts' {
  interface Subjects {
    epic: EpicItem
  }
  interface DecidedSubjects {
    epic: EpicDraft
  }
}

/** The epic of `:epic_id`, which is an id or else an iid within the group, or of `:epic_iid`. */
export const epicSubjectType = subjectType({
  policy: epicPolicy,
  find,
  factsOf: ({ group }: EpicDraft) => ({ group: group.facts }),
})

async function find({
  app,
  params,
  parent: group,
}: SubjectRequest<GroupSubject>): Promise<EpicItem | undefined> {
  const groupId = group.row.id
  const row =
    params.epic_iid === undefined
      ? await findEpic(app.db, { groupId, ref: Number(params.epic_id) })
      : await findEpicByNumber(app.db, { groupId, iid: Number(params.epic_iid) })
  return row && { type: 'epic', row, group }
}
