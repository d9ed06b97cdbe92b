import type { WorkItemListScope } from '@stithy/store'
import type { GroupSubject } from '../../../directory/groups/group-subject.ts'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'

/** The whole instance, with archived projects. */
export const instanceRequests = { kind: 'anywhere', archived: true } as const

/** A group and its subgroups, with archived projects. */
export function groupRequests({ row }: GroupSubject): WorkItemListScope {
  return { kind: 'group', groupId: row.id, archived: true }
}

/** A project; whoever may list its merge requests may read all. */
export function projectRequests({ row }: ProjectSubject): WorkItemListScope {
  const { id: projectId, namespaceId } = row
  return { kind: 'project', projectId, namespaceId, includesHidden: true }
}
