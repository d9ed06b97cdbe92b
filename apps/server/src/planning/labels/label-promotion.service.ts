import { badRequest, decideOnGroup, notFound } from '@stithy/core'
import {
  findGroupLabelsByTitle,
  findLabelById,
  insertLabel,
  type LabelRow,
  listLabelsBelow,
  type Transaction,
} from '@stithy/store'
import { loadGroup } from '../../directory/groups/group-subject.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { enforce } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/call.ts'
import { mergeLabels } from './label-merge.service.ts'

/**
 * Promotes a project label to its group (`PUT /projects/:id/labels/:label_id/promote`): merges the
 * labels with its title in all projects of the group. If the group or a group above has a label
 * with that title, the others are merged into it.
 * @throws DomainError `bad_request` if the project is in no group, `forbidden` if the caller may
 *   not promote labels to it, `not_found` if the label was deleted.
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
    await mergeLabels(tx, { from, into: into.id }, app.now())
    return into
  })
}

async function labelOfGroup(
  tx: Transaction,
  groupId: number,
  { title, color, description }: LabelRow,
  createdAt: number,
): Promise<LabelRow> {
  const [existing] = await findGroupLabelsByTitle(tx, { groupId, titles: [title] })
  const values = { projectId: null, groupId, title, color, description, createdAt }
  const row =
    existing === undefined ? await insertLabel(tx, values) : await findLabelById(tx, existing.id)
  if (row === undefined) throw notFound('Label')
  return row
}
