import { decideOnIssue, decideOnMergeRequest, decideOnProject } from '@stithy/core'
import type { App } from '../app.ts'
import type { CallerUser } from '../authentication/caller.ts'
import type { Caller } from '../http/call.ts'
import { issueFacts } from '../issues/issue-found.ts'
import type { IssueChange } from '../issues/issue-input.ts'
import type { WorkItem } from '../items/item.ts'
import { mergeRequestFacts } from '../merge-requests/merge-request-found.ts'

/** What commands change of an item in one go; of merge requests also where they lead. */
export interface ItemChange extends IssueChange {
  targetBranch?: string | undefined
}

/** Something that is done by itself, once the item is changed. */
export interface Deed {
  /** Answers whether something was done. */
  run: (item: WorkItem) => Promise<boolean>
  /** Whether a note that is written with it would undo it. */
  followsNote?: true
}

/** Commands as they are read, one after the other. */
export interface Reading {
  app: App
  caller: Caller
  user: CallerUser
  item: WorkItem
  /** What the commands so far add up to. */
  change: ItemChange
  deeds: Deed[]
}

/**
 * What a command needs (catalogue: issues, 8): `update`, the right to change the item; `plan`, the level of a
 * reporter, or of a developer on merge requests; `read` is left to everybody who may read it.
 */
export type Right = 'update' | 'plan' | 'read'

/** The rights of a caller on an item that they may read. */
export function rightsOn(caller: Caller, item: WorkItem): ReadonlySet<Right> {
  const rights = new Set<Right>(['read'])
  const { facts } = item.project
  const planning = item.type === 'issue' ? 'admin_issues' : 'admin_merge_requests'
  if (decideOnProject(planning, caller.facts, facts).allowed) rights.add('plan')
  if (mayUpdate(caller, item)) rights.add('update')
  return rights
}

function mayUpdate({ facts: caller }: Caller, item: WorkItem): boolean {
  const { project, assigneeIds } = item
  if (item.type === 'issue') {
    const facts = issueFacts(item.row, assigneeIds, caller.userId)
    return decideOnIssue('update_issue', caller, project.facts, facts).allowed
  }
  const facts = mergeRequestFacts(item.row, assigneeIds, caller.userId)
  return decideOnMergeRequest('update_merge_request', caller, project.facts, facts).allowed
}
