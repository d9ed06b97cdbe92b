import { badRequest, decideOnGroup, notFound } from '@stithy/core'
import {
  findGroupLabelsByTitle,
  findLabelById,
  insertLabel,
  type LabelRow,
  listLabelsBelow,
  mergeLabels,
  type Transaction,
} from '@stithy/store'
import type { App } from '../app.ts'
import { loadGroup } from '../groups/group-subject.ts'
import { enforce } from '../http/authorize.ts'
import type { Caller } from '../http/call.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'

/**
 * Makes a label of a project one of its group, together with the labels of its title in all projects of the group
 * (catalogue: planning, 4.2). A label of that title which the group has already, or a group above it, is the one
 * that stays.
 * @throws DomainError `bad_request` where the project is in no group, `forbidden` where the caller may not promote
 *   labels to it, `not_found` where the label is gone.
 */
export async function promoteLabel(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  label: LabelRow,
): Promise<LabelRow> {
  const group = await loadGroup(app, String(project.row.namespaceId), caller)
  if (group === undefined) {
    throw badRequest('Failed to promote project label to group label: the project is in no group')
  }
  enforce(decideOnGroup('promote_group_labels', caller.facts, group.facts), caller)
  const groupId = group.row.id
  const from = await listLabelsBelow(app.db, { groupId, title: label.title })
  if (from.length === 0) throw notFound('Label')
  return app.db.transaction(async (tx) => {
    const into = await labelOfGroup(tx, groupId, label, app.now())
    await mergeLabels(tx, { from, into: into.id })
    return into
  })
}

async function labelOfGroup(
  tx: Transaction,
  groupId: number,
  { title, color, description }: LabelRow,
  createdAt: number,
): Promise<LabelRow> {
  const [known] = await findGroupLabelsByTitle(tx, { groupId, titles: [title] })
  const values = { projectId: null, groupId, title, color, description, createdAt }
  const row =
    known === undefined ? await insertLabel(tx, values) : await findLabelById(tx, known.id)
  if (row === undefined) throw notFound('Label')
  return row
}
