import type { Milestone } from '@stithy/core'
import {
  findMilestonesById,
  findUsableMilestoneById,
  findUsableMilestoneByTitle,
  type Row,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { presentMilestones } from './milestone.presenter.ts'

/** The milestones that other things mention, by id. At most one query. */
export async function milestonesById(
  app: App,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, Milestone>> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return new Map()
  const milestones = presentMilestones(app.config, await findMilestonesById(app.db, unique))
  return new Map(milestones.map((milestone) => [milestone.id, milestone]))
}

/** A milestone as it is named: by its global id, or by its title. */
export type MilestoneRef = { id: number } | { title: string }

/**
 * The milestone that a name means in a project: one of its own, or of a group above it; of one title the nearest.
 * Undefined where the project has none such. One query.
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
