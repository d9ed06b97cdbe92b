import { findEpicIssueLink } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { findReadableEpic, requireEditable } from '../epics/epic-lookup.service.ts'
import type { EpicItem, IssueItem } from '../items/item.ts'
import { assignIssue, removeEpicIssue } from './epic-issue.service.ts'

/** `/epic`. @throws DomainError as `assignIssue`, `forbidden` */
export async function assignIssueByText(
  app: App,
  caller: Caller,
  issue: IssueItem,
  epic: EpicItem,
): Promise<void> {
  requireEditable(app, caller, epic)
  await assignIssue(app, caller, epic, issue.row.id)
}

/** `/remove_epic`; false if the issue is in no epic that the caller can read. @throws DomainError */
export async function removeIssueByText(
  app: App,
  caller: Caller,
  issue: IssueItem,
): Promise<boolean> {
  const link = await findEpicIssueLink(app.db, issue.row.id)
  const epic = link && (await findReadableEpic(app, caller, link.epicId))
  if (link === undefined || epic === undefined) return false
  requireEditable(app, caller, epic)
  await removeEpicIssue(app, caller, epic, link.id)
  return true
}
