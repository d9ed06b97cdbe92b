import { z } from 'zod'

/** Estimated and spent time of an issue or merge request; integers are seconds. */
export const TimeStats = z.object({
  time_estimate: z.int(),
  total_time_spent: z.int(),
  /** `3h 30m`; null for none. */
  human_time_estimate: z.string().nullable(),
  human_total_time_spent: z.string().nullable(),
})
export type TimeStats = z.output<typeof TimeStats>

/** The tasks in the description of an issue or merge request. */
export const TaskCompletionStatus = z.object({
  count: z.int(),
  completed_count: z.int(),
})
export type TaskCompletionStatus = z.output<typeof TaskCompletionStatus>
