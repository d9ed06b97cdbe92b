import { humanDuration, type TimeStats } from '@stithy/core'

/** Presents the `time_stats` of an issue or merge request. */
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
