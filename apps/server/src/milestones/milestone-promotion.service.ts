import { badRequest, decideOnGroup, notFound, takenMilestoneTitle } from '@stithy/core'
import {
  deleteMilestone,
  forgetEventTarget,
  insertMilestone,
  isUniqueViolation,
  listMilestonesBelow,
  type MilestoneRow,
  replaceMilestones,
} from '@stithy/store'
import type { App } from '../app.ts'
import { loadGroup } from '../groups/group-subject.ts'
import { enforce } from '../http/authorize.ts'
import type { Caller } from '../http/call.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'

/**
 * Makes a milestone of a project one of its group (catalogue: planning, 1): the milestones of its title in all
 * projects of the group become one with it, and what has them has it, without a remark.
 * @throws DomainError `bad_request` where the project is in no group or the group has one of the title,
 *   `forbidden` where the caller may not manage its milestones.
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
  const data = { title, description, startDate, dueDate, state, createdAt: app.now() }
  const promoted = app.db.transaction(async (tx) => {
    const merged = await listMilestonesBelow(tx, { groupId, title })
    if (!merged.some(({ id }) => id === milestone.id)) throw notFound('Milestone')
    const into = await insertMilestone(tx, { groupId }, data)
    await replaceMilestones(tx, { from: merged.map(({ id }) => id), into: into.id })
    for (const { id, projectId } of merged) {
      await deleteMilestone(tx, id)
      await forgetEventTarget(tx, { projectId, type: 'milestone', id })
    }
  })
  await promoted.catch((error: unknown) => {
    if (!isUniqueViolation(error, 'title')) throw error
    throw failed(`Title ${takenMilestoneTitle.title?.join(' ')}`)
  })
}

function failed(reason: string) {
  return badRequest(`Promotion failed - ${reason}`)
}
