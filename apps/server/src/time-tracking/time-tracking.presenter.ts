import { humanDuration, type TimeStats } from '@stithy/core'

/** The time of an issue or merge request (document 1, Issue: `time_stats`). */
export function presentTime({
  timeEstimate,
  totalTimeSpent,
}: {
  timeEstimate: number
  totalTimeSpent: number
}): TimeStats {
  return {
    time_estimate: timeEstimate,
    total_time_spent: totalTimeSpent,
    human_time_estimate: humanDuration(timeEstimate),
    human_total_time_spent: humanDuration(totalTimeSpent),
  }
}
