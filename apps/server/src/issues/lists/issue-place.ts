import { decideOnProject } from '@stithy/core'
import type { WorkItemPlace } from '@stithy/store'
import type { GroupSubject } from '../../groups/group-subject.ts'
import type { Caller } from '../../http/call.ts'
import type { ProjectSubject } from '../../projects/project-subject.ts'

interface WideQuery {
  non_archived?: boolean | undefined
}

/** Everywhere; archived projects only where they are asked for. */
export function wholePlace({ non_archived: living = true }: WideQuery): WorkItemPlace {
  return { kind: 'anywhere', archived: !living }
}

/** A group and its subgroups; archived projects only where they are asked for. */
export function groupPlace(
  { row }: GroupSubject,
  { non_archived: living = true }: WideQuery,
): WorkItemPlace {
  return { kind: 'group', groupId: row.id, archived: !living }
}

/** A project whose issues the caller may see, with its confidential ones as far as the policy goes. */
export function projectPlace(caller: Caller, { row, facts }: ProjectSubject): WorkItemPlace {
  const seesHidden = decideOnProject('read_confidential_issues', caller.facts, facts).allowed
  return { kind: 'project', projectId: row.id, namespaceId: row.namespaceId, seesHidden }
}
