import { z } from 'zod'

/** How many days are counted, today included. */
export const countedDays = 30

/** Clones and pulls of a project; days without any are left out. */
export const FetchStatistics = z.object({
  fetches: z.object({
    total: z.int(),
    days: z.array(z.object({ count: z.int(), date: z.string() })),
  }),
})
export type FetchStatistics = z.output<typeof FetchStatistics>
