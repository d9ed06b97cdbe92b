import { z } from 'zod'
import { integer, optional } from './fields.ts'

/** Parameters of all lists of issues, merge requests, epics and milestones. */
export const listedDescriptions = {
  /** Descriptions, also those of milestones, are cut to as many characters. */
  max_description_length: integer({ min: 0 }),
}

/** The query of those that have no filters. */
export const ItemsQuery = z.object(optional(listedDescriptions))
export type ItemsQuery = z.output<typeof ItemsQuery>
