/** An issue of a milestone, with its closings and reopenings; timestamps in milliseconds. */
export interface BurndownInput {
  weight: number | null
  createdAt: number
  /** Null while it is open. */
  closedAt: number | null
  /** In chronological order. */
  turns: readonly { action: 'closed' | 'reopened'; createdAt: number }[]
}

/** A change of the remaining work of a milestone. */
export interface BurndownPoint {
  createdAt: number
  weight: number | null
  action: 'created' | 'closed' | 'reopened'
}

/**
 * Computes the burndown events up to a timestamp, in chronological order. Transitions without
 * effect are omitted; a closed issue without a recorded closing counts as closed at `closedAt`.
 */
export function burndown(issues: readonly BurndownInput[], until: number): BurndownPoint[] {
  const points = issues.flatMap((issue) => pointsOf(issue, until))
  return points.toSorted((a, b) => a.createdAt - b.createdAt)
}

function pointsOf({ weight, createdAt, closedAt, turns }: BurndownInput, until: number) {
  const points: BurndownPoint[] = [{ createdAt, weight, action: 'created' }]
  let isOpen = true
  for (const turn of turns) {
    if (isOpen !== (turn.action === 'closed')) continue
    points.push({ ...turn, weight })
    isOpen = !isOpen
  }
  if (isOpen && closedAt !== null) points.push({ createdAt: closedAt, weight, action: 'closed' })
  return points.filter((point) => point.createdAt < until)
}
