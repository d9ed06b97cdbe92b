import { decideOnProject } from '@stithy/core'
import type { WorkItemListScope } from '@stithy/store'
import type { GroupSubject } from '../../../directory/groups/group-subject.ts'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import type { Caller } from '../../../platform/http/call.ts'

interface WideQuery {
  non_archived?: boolean | undefined
}

/** The whole instance; archived projects are included only on request. */
export function instanceScope({ non_archived: nonArchived = true }: WideQuery): WorkItemListScope {
  return { kind: 'anywhere', archived: !nonArchived }
}

/** A group and its subgroups; archived projects are included only on request. */
export function groupScope(
  { row }: GroupSubject,
  { non_archived: nonArchived = true }: WideQuery,
): WorkItemListScope {
  return { kind: 'group', groupId: row.id, archived: !nonArchived }
}

/** A project; its confidential issues are included where the policy allows it. */
export function projectScope(caller: Caller, { row, facts }: ProjectSubject): WorkItemListScope {
  const includesHidden = decideOnProject('read_confidential_issues', caller.facts, facts).allowed
  return { kind: 'project', projectId: row.id, namespaceId: row.namespaceId, includesHidden }
}
