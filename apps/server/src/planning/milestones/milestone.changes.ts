import type { Row } from '@stithy/store'

interface MilestoneChange {
  userId: number
  milestone: Row<'milestones'>
}

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'milestone.created': MilestoneChange
    'milestone.closed': MilestoneChange
    'milestone.reopened': MilestoneChange
    'milestone.deleted': MilestoneChange
    /** The dates that its issues have from it may be others: it has new ones, or more issues. */
    'milestone.rescheduled': { milestoneId: number }
    /** Milestones of projects became one of their group. */
    'milestone.promoted': { merged: readonly { id: number; projectId: number }[] }
  }
}
