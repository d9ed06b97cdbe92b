import { badRequest, decideOnGroup, notFound, takenMilestoneTitle } from '@stithy/core'
import {
  insertMilestone,
  isUniqueViolation,
  listMilestonesBelow,
  type MilestoneRow,
} from '@stithy/store'
import { loadGroup } from '../../directory/groups/group-subject.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { enforce } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/call.ts'
import { mergeMilestones } from './milestone-merge.service.ts'

/**
 * Promotes a project milestone to its group (`POST
 * /projects/:id/milestones/:milestone_id/promote`): the milestones with its title in all projects
 * of the group are merged into one, without system notes.
 * @throws DomainError `bad_request` if the project is in no group or the group has a milestone with
 *   this title, `forbidden` if the caller may not manage its milestones.
 */
export async function promoteMilestone(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  milestone: MilestoneRow,
): Promise<void> {
  const group = await loadGroup(app, String(project.row.namespaceId), caller)
  if (group === undefined) throw failed('Project does not belong to a group.')
  enforce(decideOnGroup('admin_group_milestones', caller.facts, group.facts), caller)
  const groupId = group.row.id
  const { title, description, startDate, dueDate, state } = milestone
  const now = app.now()
  const by = { userId: caller.facts.userId, at: now, now }
  const data = { title, description, startDate, dueDate, state, createdAt: now }
  const promoted = app.db.transaction(async (tx) => {
    const merged = await listMilestonesBelow(tx, { groupId, title })
    if (!merged.some(({ id }) => id === milestone.id)) throw notFound('Milestone')
    const into = await insertMilestone(tx, { groupId }, data)
    await mergeMilestones(tx, { from: merged.map(({ id }) => id), into: into.id }, now)
    await recordChange(tx, { kind: 'milestone.promoted', ...by, merged })
  })
  await promoted.catch((error: unknown) => {
    if (!isUniqueViolation(error, 'title')) throw error
    throw failed(`Title ${takenMilestoneTitle.title?.join(' ')}`)
  })
}

function failed(reason: string) {
  return badRequest(`Promotion failed - ${reason}`)
}
