import type { Milestone } from '@stithy/core'
import {
  findUsableMilestoneById,
  findUsableMilestoneByTitle,
  listMilestonesById,
  type Row,
} from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { withDescriptions } from '../items/lists/listed-descriptions.ts'
import { presentMilestones } from './milestone.presenter.ts'

/**
 * Milestones as other resources embed them, by id. At most one query; long descriptions are read when
 * they are written.
 * @param maxDescriptionLength what descriptions are cut to, in characters
 */
export async function milestonesById(
  app: App,
  ids: Iterable<number>,
  maxDescriptionLength?: number,
): Promise<ReadonlyMap<number, Milestone>> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return new Map()
  const rows = await listMilestonesById(app.db, unique)
  const described = withDescriptions(app, 'milestones', rows, maxDescriptionLength)
  const milestones = presentMilestones(app.config, described)
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
