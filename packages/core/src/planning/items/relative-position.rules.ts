/** The distance between neighbours in an order that was never changed. */
export const positionGap = 2 ** 26

/**
 * The numbers of neighbours of which some are spaced again when a gap is used up, from the first
 * try to the last.
 */
export const respacedCounts = [64, 128, 256, 512, 1024, 2048] as const

/**
 * The gap that a number of neighbours must have after they were spaced again, for that to be
 * enough: four times as much for twice as many. So the half of what was spaced must become four
 * times as dense before it is spaced again on a larger scale, which keeps the writes per move below
 * a constant on average.
 */
export function sufficientGap(count: number): number {
  return 2 ** 8 * (count / respacedCounts[0]) ** 2
}

/** A place in an order, by the positions of its neighbours; null at an end. */
export interface Place {
  after: number | null
  before: number | null
}

/** The position in the middle of a place; undefined if there is none between the neighbours. */
export function positionIn({ after, before }: Place): number | undefined {
  if (after === null && before === null) return 0
  if (before === null) return (after ?? 0) + positionGap
  if (after === null) return before - positionGap
  const middle = Math.floor(after + (before - after) / 2)
  return middle > after && middle < before ? middle : undefined
}

/** Positions at equal distances: the first one is `from + gap`. */
export interface Spacing {
  from: number
  gap: number
}

/** How `count` rows are spaced in a place that they fill. */
export function spacingIn({ after, before }: Place, count: number): Spacing {
  if (after !== null && before !== null) {
    return { from: after, gap: Math.floor((before - after) / (count + 1)) }
  }
  if (after !== null) return { from: after, gap: positionGap }
  const end = before ?? positionGap
  return { from: end - (count + 1) * positionGap, gap: positionGap }
}
