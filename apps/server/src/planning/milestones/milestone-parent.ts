import { notFound } from '@stithy/core'
import { findMilestone, type MilestoneRow } from '@stithy/store'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'

/** The parent of a milestone: a project with its namespace, or a group. */
export type MilestoneParent =
  | { projectId: number; namespaceId: number; fullPath: string }
  | { groupId: number; fullPath: string }

export function projectParent({ row }: ProjectSubject): MilestoneParent {
  return { projectId: row.id, namespaceId: row.namespaceId, fullPath: row.fullPath }
}

export function groupParent({ row }: GroupSubject): MilestoneParent {
  return { groupId: row.id, fullPath: row.fullPath }
}

/** Finds a milestone of the parent by id. One query. @throws DomainError `not_found` */
export async function requireMilestone(
  app: App,
  parent: MilestoneParent,
  id: number,
): Promise<MilestoneRow> {
  const row = await findMilestone(app.db, parent, id)
  if (row === undefined) throw notFound('Milestone')
  return { ...row, ownerFullPath: parent.fullPath }
}
