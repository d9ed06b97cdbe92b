import { notFound } from '@stithy/core'
import { findMilestone, type MilestoneRow } from '@stithy/store'
import type { App } from '../app.ts'
import type { GroupSubject } from '../groups/group-subject.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'

/** Where milestones are: a project, with its namespace, or a group. */
export type MilestonePlace =
  | { projectId: number; namespaceId: number; fullPath: string }
  | { groupId: number; fullPath: string }

/** A project as the place of milestones. */
export function projectPlace({ row }: ProjectSubject): MilestonePlace {
  return { projectId: row.id, namespaceId: row.namespaceId, fullPath: row.fullPath }
}

/** A group as the place of milestones. */
export function groupPlace({ row }: GroupSubject): MilestonePlace {
  return { groupId: row.id, fullPath: row.fullPath }
}

/** The milestone of the place with this id. One query. @throws DomainError `not_found` */
export async function requireMilestone(
  app: App,
  place: MilestonePlace,
  id: number,
): Promise<MilestoneRow> {
  const row = await findMilestone(app.db, place, id)
  if (row === undefined) throw notFound('Milestone')
  return { ...row, ownerFullPath: place.fullPath }
}
