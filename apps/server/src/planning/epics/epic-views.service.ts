import { decideOnEpic, type Epic } from '@stithy/core'
import { type EpicRow, listGroupLevels } from '@stithy/store'
import { userRefs } from '../../directory/users/user-views.service.ts'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { decideOn } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { EpicItem } from '../items/item.ts'
import { withDescriptions } from '../items/lists/listed-descriptions.ts'
import { loadLabels } from '../labels/labelling.service.ts'
import { type EpicView, presentEpics } from './epic.presenter.ts'

/**
 * A page of epics of any groups. At most three queries: levels in the groups, labels, authors.
 * @param maxDescriptionLength what descriptions are cut to, in characters
 */
export async function viewEpics(
  app: App,
  caller: Caller,
  rows: readonly EpicRow[],
  maxDescriptionLength?: number,
): Promise<Epic[]> {
  if (rows.length === 0) return []
  const editable = await editableGroups(app, caller, rows)
  const described = withDescriptions(app, 'epics', rows, maxDescriptionLength)
  return view(app, described, ({ groupId }) => editable.has(groupId))
}

/** A single epic, as lists show it. */
export async function viewEpic(app: App, caller: Caller, item: EpicItem): Promise<Epic> {
  const editable = decideOn(app, 'epic', 'update_epic', item, caller).allowed
  const [epic] = await view(app, [item.row], () => editable)
  if (epic === undefined) throw new TypeError(`Epic ${item.row.id} has no author`)
  return epic
}

async function view(
  app: App,
  rows: readonly EpicRow[],
  isEditable: (row: EpicRow) => boolean,
): Promise<Epic[]> {
  const labelled = rows.filter((row) => row.labelCount > 0).map((row) => row.id)
  const labels = await loadLabels(app, 'epic', labelled)
  const authors = await userRefs(
    app,
    rows.map((row) => row.authorId),
  )
  const views = rows.flatMap((row): EpicView[] => {
    const author = authors.get(row.authorId)
    const titles = (labels.get(row.id) ?? []).map((label) => label.name)
    return author === undefined ? [] : [{ row, author, labels: titles, editable: isEditable(row) }]
  })
  return presentEpics(app.config, views)
}

/** The groups of epics in which the caller may edit epics. At most one query. */
async function editableGroups(
  app: App,
  { facts }: Caller,
  rows: readonly EpicRow[],
): Promise<ReadonlySet<number>> {
  const groupIds = [...new Set(rows.map(({ groupId }) => groupId))]
  if (facts.userId === null) return new Set()
  if (facts.admin) return new Set(groupIds)
  const viewer = { userId: facts.userId, today: dayOf(app.now()) }
  const levels = await listGroupLevels(app.db, { ...viewer, groupIds })
  const editable = levels.filter(({ visibility, level }) => {
    const group = { visibility, level, holdsReadableProject: false }
    return decideOnEpic('update_epic', facts, group).allowed
  })
  return new Set(editable.map(({ id }) => id))
}
