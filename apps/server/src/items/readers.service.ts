import {
  type CallerFacts,
  decideOnGroup,
  decideOnIssue,
  decideOnMergeRequest,
  decideOnProject,
  decideOnSnippet,
} from '@stithy/core'
import { listGroupReaders, listProjectReaders, listReaders, type ReaderRow } from '@stithy/store'
import type { App } from '../app.ts'
import { issueFacts } from '../issues/issue-found.ts'
import { dayOf } from '../members/day.ts'
import { mergeRequestFacts } from '../merge-requests/merge-request-found.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import type { Item } from './item.ts'

/**
 * Which of the users may read the item; never who is blocked, or is no person. One query, whatever their
 * number; of the item's project or group only the row counts, not for whom it was loaded.
 */
export async function thoseWhoMayRead(
  app: App,
  item: Item,
  userIds: Iterable<number>,
): Promise<Set<number>> {
  const unique = [...new Set(userIds)]
  if (unique.length === 0) return new Set()
  const readers = await readersAmong(app, item, unique)
  const allowed = readers.filter((reader) => mayRead(item, reader))
  return new Set(allowed.map(({ facts }) => facts.userId))
}

function readersAmong(app: App, item: Item, userIds: readonly number[]): Promise<ReaderRow[]> {
  const today = dayOf(app.now())
  if (item.type === 'epic') {
    return listGroupReaders(app.db, { groupId: item.group.row.id, userIds, today })
  }
  if (item.project === undefined) return listReaders(app.db, { userIds })
  return listProjectReaders(app.db, { projectId: item.project.row.id, userIds, today })
}

function mayRead(item: Item, { facts, level }: ReaderRow): boolean {
  if (item.type === 'epic') {
    const group = { visibility: item.group.row.visibility, level, holdsReadableProject: false }
    return decideOnGroup('read_epics', facts, group).allowed
  }
  return mayReadIn(item, item.project && seenAt(item.project, level), facts)
}

/** The project as somebody with this level sees it. */
function seenAt({ facts }: ProjectSubject, level: number): ProjectSubject['facts'] {
  return { ...facts, level }
}

/** Whether somebody may read an item of a project, or a personal snippet. */
export function mayReadIn(
  item: Exclude<Item, { type: 'epic' }>,
  project: ProjectSubject['facts'] | undefined,
  caller: CallerFacts,
): boolean {
  if (item.type === 'snippet') {
    return decideOnSnippet('read_snippet', caller, project, item.row).allowed
  }
  if (project === undefined) return false
  if (item.type === 'commit') return decideOnProject('read_code', caller, project).allowed
  const { assigneeIds } = item
  if (item.type === 'issue') {
    const facts = issueFacts(item.row, assigneeIds, caller.userId)
    return decideOnIssue('read_issue', caller, project, facts).allowed
  }
  const facts = mergeRequestFacts(item.row, assigneeIds, caller.userId)
  return decideOnMergeRequest('read_merge_request', caller, project, facts).allowed
}
