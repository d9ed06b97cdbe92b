import { groupMemberPolicy, projectMemberPolicy } from '@stithy/core'
import { type SubjectRequest, subjectType } from '../../platform/http/subjects.ts'
import type { GroupSubject } from '../groups/group-subject.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'

/** A user as member of a project or group; the service looks up whether there is a membership. */
export interface MemberSubject<Source> {
  source: Source
  userId: number
}

declare module '../../platform/http/subjects.ts' {
  interface Subjects {
    project_member: MemberSubject<ProjectSubject>
    group_member: MemberSubject<GroupSubject>
  }
}

async function find<Source>({ params, parent }: SubjectRequest<Source>) {
  return { source: parent, userId: Number(params.user_id) }
}

export const projectMemberSubjectType = subjectType({
  policy: projectMemberPolicy,
  find: find<ProjectSubject>,
  factsOf: ({ source, userId }: MemberSubject<ProjectSubject>, { facts }) => ({
    source: source.facts,
    own: userId === facts.userId,
  }),
})

export const groupMemberSubjectType = subjectType({
  policy: groupMemberPolicy,
  find: find<GroupSubject>,
  factsOf: ({ source, userId }: MemberSubject<GroupSubject>, { facts }) => ({
    source: source.facts,
    own: userId === facts.userId,
  }),
})
