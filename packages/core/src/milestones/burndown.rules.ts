/** An issue of a milestone, with how often it was closed and reopened; instants in milliseconds. */
export interface BurndownInput {
  weight: number | null
  createdAt: number
  /** Null while it is open. */
  closedAt: number | null
  /** In their order. */
  turns: readonly { action: 'closed' | 'reopened'; createdAt: number }[]
}

/** That the work left in a milestone changed. */
export interface BurndownPoint {
  createdAt: number
  weight: number | null
  action: 'created' | 'closed' | 'reopened'
}

/**
 * How issues came and went until an instant, in its order (catalogue: planning, 1). A turn that changes nothing is
 * left out; an issue that is closed without a trace of it counts as closed when its state says.
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
