import { badRequest, decideOnGroup, decideOnProject } from '@stithy/core'
import {
  copySubscriptions,
  insertEpic,
  listParticipantIds,
  type NewEpic,
  type Transaction,
} from '@stithy/store'
import { type GroupSubject, loadGroup } from '../../directory/groups/group-subject.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { epicRowOf } from '../epics/epic-create.service.ts'
import {
  type ContentPlan,
  planContents,
  planCopiedLabels,
  writeContents,
} from '../issues/copy/issue-copy.service.ts'
import { closeCopied } from '../issues/issue-states.ts'
import { lockItem } from '../issues/issue-type.ts'
import { changeBy } from '../items/changes/change-by.ts'
import { labelTarget } from '../items/changes/item-labels.ts'
import type { ItemChangeBy } from '../items/changes/work-item-type.ts'
import type { EpicItem, IssueItem } from '../items/item.ts'
import { copyLabels, type LabelPlan } from '../labels/labelling.service.ts'
import { noTextEffects } from '../mentions/text-effects.service.ts'
import { sourceOf } from '../system-notes/system-note.service.ts'

/** An epic to make of an issue. */
interface PromotionPlan {
  group: GroupSubject
  row: NewEpic
  labels: LabelPlan
  contents: ContentPlan
}

/**
 * `/promote`: makes an epic of an issue that the caller may read, in the group of its project, and
 * closes the issue. The epic gets the title and description, comments and system notes, awards,
 * labels that the group has, and subscriptions. Whoever can read epics of the group can read it, even
 * if the issue is confidential.
 * @throws DomainError `bad_request` if the project is in no group, the caller may not plan its issues
 *   or edit epics of the group, or the issue was promoted before; `not_found` if it was deleted.
 */
export async function promoteIssue(app: App, caller: Caller, issue: IssueItem): Promise<void> {
  const group = await requireGroupForEpic(app, caller, issue)
  const by = changeBy(app, caller)
  const contents = await planContents(app, caller, issue, { group })
  const texts = { title: issue.row.title, description: contents.description }
  const plan: PromotionPlan = {
    group,
    row: epicRowOf(group, texts, by),
    labels: await planCopiedLabels(app, caller, issue, { group }),
    contents,
  }
  await app.db.transaction(async (tx) => {
    const source = await lockItem(tx, issue)
    if (source.row.promotedToEpicId !== null) throw cannotPromote()
    const epic = await writeEpic(tx, source, plan, by)
    const note = { action: 'promoted_to', source: sourceOf(epic) } as const
    await closeCopied(tx, source, { columns: { promotedToEpicId: epic.row.id }, note }, by)
  })
}

/** The group of the issue's project. @throws DomainError `bad_request` */
async function requireGroupForEpic(
  app: App,
  caller: Caller,
  { project }: IssueItem,
): Promise<GroupSubject> {
  const group = await loadGroup(app, String(project.row.namespaceId), caller)
  const mayPromote =
    group !== undefined &&
    decideOnProject('admin_issues', caller.facts, project.facts).allowed &&
    decideOnGroup('admin_epics', caller.facts, group.facts).allowed
  if (!mayPromote) throw cannotPromote()
  return group
}

function cannotPromote() {
  return badRequest('Cannot promote issue!')
}

async function writeEpic(
  tx: Transaction,
  source: IssueItem,
  { group, row, labels, contents }: PromotionPlan,
  by: ItemChangeBy,
): Promise<EpicItem> {
  const inserted = await insertEpic(tx, row)
  const epic: EpicItem = {
    type: 'epic',
    row: { ...inserted, groupFullPath: group.row.fullPath },
    group,
  }
  const { id, authorId } = source.row
  await copyLabels(tx, { type: 'issue', id }, labelTarget(epic), labels)
  await writeContents(tx, { source, copy: epic, plan: contents }, by)
  const to = { type: 'epic', id: epic.row.id, projectId: null } as const
  await copySubscriptions(tx, { from: id, to, at: by.now })
  const others = await listParticipantIds(tx, { type: 'issue', id })
  await recordChange(tx, {
    kind: 'epic.created',
    ...by,
    item: epic,
    texts: noTextEffects(by.userId),
    notes: [{ action: 'promoted_from', source: sourceOf(source) }],
    participantIds: [...new Set([authorId, ...others])],
  })
  return epic
}
