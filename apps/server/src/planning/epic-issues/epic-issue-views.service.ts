import type { EpicIssue, EpicIssueLink, ItemsQuery } from '@stithy/core'
import { findEpicsById, listEpicIssues, type Page, type PageRequest } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'
import { viewEpic } from '../epics/epic-views.service.ts'
import { viewIssue, viewIssues } from '../issues/issue-views.service.ts'
import type { EpicItem } from '../items/item.ts'
import type { LinkedIssue } from './epic-issue.service.ts'

/** Lists the issues of an epic that the caller may read, in their order. */
export async function listIssuesOfEpic(
  app: App,
  caller: Caller,
  { row }: EpicItem,
  { max_description_length: maxDescriptionLength }: ItemsQuery,
  page: PageRequest,
): Promise<Page<EpicIssue>> {
  const viewer = { caller: caller.facts, today: dayOf(app.now()) }
  const found = await listEpicIssues(app.db, { epicId: row.id, ...viewer }, page)
  const links = new Map(found.items.map((item) => [item.id, item]))
  const views = await viewIssues(app, caller, found.items, { maxDescriptionLength })
  const items = views.flatMap((view): EpicIssue[] => {
    const link = links.get(view.id)
    if (link === undefined) return []
    const { epicIssueId, relativePosition } = link
    return [{ ...view, epic_issue_id: epicIssueId, relative_position: relativePosition }]
  })
  return { ...found, items }
}

/** A link with its epic and issue, as lists show them; the link may have changed the epic's dates. */
export async function viewEpicIssueLink(
  app: App,
  caller: Caller,
  epic: EpicItem,
  { link, issue }: LinkedIssue,
): Promise<EpicIssueLink> {
  const [row = epic.row] = await findEpicsById(app.db, [epic.row.id])
  return {
    id: link.id,
    epic: await viewEpic(app, caller, { ...epic, row }),
    issue: await viewIssue(app, caller, issue),
    relative_position: link.relativePosition,
  }
}
