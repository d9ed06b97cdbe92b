import { findEpicIssueLink } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { findReadableEpic, onEditable, requireEditable } from '../epics/epic-lookup.service.ts'
import type { IssueItem } from '../items/item.ts'
import { assignIssue, removeEpicIssue } from './epic-issue.service.ts'

/** `/epic`. @throws DomainError as `assignIssue`, `forbidden` */
export const assignIssueByText = onEditable(assignIssue)

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
