import type { Milestone } from '@stithy/core'
import {
  findMilestonesById,
  findUsableMilestoneById,
  findUsableMilestoneByTitle,
  type Row,
} from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { presentMilestones } from './milestone.presenter.ts'

/** Milestones as other resources embed them, by id. At most one query. */
export async function milestonesById(
  app: App,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, Milestone>> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return new Map()
  const milestones = presentMilestones(app.config, await findMilestonesById(app.db, unique))
  return new Map(milestones.map((milestone) => [milestone.id, milestone]))
}

/** A reference to a milestone: its global id or its title. */
export type MilestoneRef = { id: number } | { title: string }

/**
 * Finds a milestone that a project can use: its own or one of a group above it, the nearest if
 * several have the title. Undefined if there is none. One query.
 */
export function findUsableMilestone(
  app: App,
  { row }: ProjectSubject,
  ref: MilestoneRef,
): Promise<Row<'milestones'> | undefined> {
  const scope = { projectId: row.id, namespaceId: row.namespaceId }
  return 'id' in ref
    ? findUsableMilestoneById(app.db, { ...scope, id: ref.id })
    : findUsableMilestoneByTitle(app.db, { ...scope, title: ref.title })
}
