import type { EpicRef } from '@stithy/core'
import type { EpicRow } from '@stithy/store'
import { userRefs } from '../../directory/users/user-views.service.ts'
import type { App } from '../../platform/app.ts'
import { loadLabels } from '../labels/labelling.service.ts'
import { type EpicView, presentEpics } from './epic.presenter.ts'

/** A page of epics as other resources embed them. At most two queries: labels and authors. */
export async function viewEpics(app: App, rows: readonly EpicRow[]): Promise<EpicRef[]> {
  const labelled = rows.filter((row) => row.labelCount > 0).map((row) => row.id)
  const labels = await loadLabels(app, 'epic', labelled)
  const authors = await userRefs(
    app,
    rows.map((row) => row.authorId),
  )
  const views = rows.flatMap((row): EpicView[] => {
    const author = authors.get(row.authorId)
    const titles = (labels.get(row.id) ?? []).map((label) => label.name)
    return author === undefined ? [] : [{ row, author, labels: titles }]
  })
  return presentEpics(app.config, views)
}
