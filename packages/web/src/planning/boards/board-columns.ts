import type { Board, BoardList, Issue } from '@stithy/core'
import { ifPermitted } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { withoutDescriptions } from '../../platform/pages/without-descriptions.ts'

/** Issues of a list on the page. */
const perList = 20

/** The most lists that a page shows; each is one call. */
export const maxLists = 20

/** A list of a board with its issues: those that are open in no list, a label, or the closed ones. */
export interface Column {
  /** `open`, `closed`, or the id of a list. */
  key: string
  title: string
  color?: string
  list?: BoardList
  issues: readonly Issue[]
  total: number
  /** The filter of the list of issues that shows all of them. */
  filter: IssueFilter
}

/** The parameters of the API by which issues are in a column. */
interface IssueFilter {
  state: 'opened' | 'closed'
  labels?: string[]
  assignee_username?: string[]
  milestone?: string
}

/** The columns of a board; one call for each, all at once. */
export async function readColumns(
  { client, params }: Pick<PageCall, 'client' | 'params'>,
  board: Board,
): Promise<Column[]> {
  const { project: projectId, group: groupId = '' } = params
  const owner = projectId === undefined ? { groupId } : { projectId }
  const lists = board.lists.toSorted((a, b) => a.position - b.position).slice(0, maxLists)
  const read = async (column: Omit<Column, 'issues' | 'total'>): Promise<Column> => {
    const query = {
      ...owner,
      ...column.filter,
      scope: 'all' as const,
      with_labels_details: true,
      ...withoutDescriptions,
      // The order is one of a project: the newest are first in it unless they were moved.
      ...(projectId !== undefined && {
        order_by: 'relative_position' as const,
        sort: 'asc' as const,
      }),
    }
    // Of the open ones, those in other lists are left out afterwards.
    const size = column.key === 'open' ? 100 : perList
    const found = await client.issues.list({ ...query, per_page: size })
    return { ...column, issues: found.items, total: found.total ?? found.items.length }
  }
  const [open, closed, ...columns] = await loadAll([
    ifPermitted(read({ key: 'open', title: 'Open', filter: { state: 'opened' } })),
    ifPermitted(read({ key: 'closed', title: 'Closed', filter: { state: 'closed' } })),
    ...lists.map((list) => read(columnOf(list))),
  ])
  return [...(open ? [withoutListed(open, lists)] : []), ...columns, ...(closed ? [closed] : [])]
}

function columnOf(list: BoardList): Omit<Column, 'issues' | 'total'> {
  const { id, label, assignee, milestone } = list
  const key = String(id)
  if (label !== undefined) {
    const filter = { state: 'opened' as const, labels: [label.name] }
    return { key, title: label.name, color: label.color, list, filter }
  }
  if (assignee !== undefined) {
    const filter = { state: 'opened' as const, assignee_username: [assignee.username] }
    return { key, title: assignee.name, list, filter }
  }
  const title = milestone?.title ?? 'Milestone'
  return { key, title, list, filter: { state: 'opened', milestone: title } }
}

/** The list of open issues has those that are in no other list. */
function withoutListed(open: Column, lists: readonly BoardList[]): Column {
  const issues = open.issues.filter((issue) => !lists.some((list) => isIn(issue, list)))
  // Where not all of them were read, how many are in no list is not known.
  const total = open.total === open.issues.length ? issues.length : open.total
  return { ...open, issues, total }
}

function isIn(issue: Issue, { label, assignee, milestone }: BoardList): boolean {
  if (label !== undefined) {
    return issue.labels.some((each) => (typeof each === 'string' ? each : each.name) === label.name)
  }
  if (assignee !== undefined) return issue.assignees.some(({ id }) => id === assignee.id)
  return milestone !== undefined && issue.milestone?.id === milestone.id
}
