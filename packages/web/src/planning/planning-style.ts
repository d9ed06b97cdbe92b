import { boardStyle } from './boards/board-column-view.ts'
import { bulkEditStyle } from './issues/bulk-edit.ts'
import { filterBarStyle } from './items/filter-bar.ts'
import { burndownStyle } from './milestones/burndown-chart.ts'
import { milestoneStyle } from './milestones/milestone-page.ts'

/** The style of the slices of planning. */
export const planningStyle = [
  boardStyle,
  filterBarStyle,
  bulkEditStyle,
  burndownStyle,
  milestoneStyle,
].join('')
