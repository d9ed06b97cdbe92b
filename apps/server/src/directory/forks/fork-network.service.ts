import { shareForkNetwork } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'

/**
 * Whether commits may be brought from one project to the other: both descend from one another, or
 * from the same project. One query.
 */
export function areInSameForkNetwork(
  app: App,
  first: ProjectSubject,
  second: ProjectSubject,
): Promise<boolean> {
  return shareForkNetwork(app.db, { firstId: first.row.id, secondId: second.row.id })
}
