import { shareForkNetwork } from '@stithy/store'
import type { App } from '../../platform/app.ts'

/** A project, such as a `ProjectSubject`. */
interface Related {
  row: { id: number }
}

/**
 * Whether commits may be brought from one project to the other: both descend from one another, or
 * from the same project. One query.
 */
export function areInSameForkNetwork(app: App, first: Related, second: Related): Promise<boolean> {
  return shareForkNetwork(app.db, { firstId: first.row.id, secondId: second.row.id })
}
