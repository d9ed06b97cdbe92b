import { filterBarStyle } from './items/filter-bar.ts'

/** The style of the slices of planning. */
export const planningStyle = [filterBarStyle].join('')
