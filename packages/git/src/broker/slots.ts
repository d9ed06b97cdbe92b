/** A number of places; who finds none waits in line. */
export interface Slots {
  /** Resolves with what gives the place back; calling that twice does no harm. */
  take(): Promise<() => void>
}

/**
 * Creates `count` places, so that a burst of diffs doesn't become a burst of processes. Whoever has waited
 * for `patienceMs` goes ahead without one: where places are kept for as long as somebody else likes, they
 * smooth a burst and cannot stop everything.
 */
export function createSlots(count: number, patienceMs = Number.POSITIVE_INFINITY): Slots {
  const waiting = new Set<() => void>()
  let free = count
  const give = () => {
    let given = false
    return () => {
      if (given) return
      given = true
      const [next] = waiting
      if (next) next()
      else free += 1
    }
  }
  return {
    async take() {
      if (free > 0) free -= 1
      else if (!(await getTurn(waiting, patienceMs))) return () => {}
      return give()
    },
  }
}

/** Resolves with true when a place was given, with false when patience ran out. */
function getTurn(waiting: Set<() => void>, patienceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (given: boolean) => {
      clearTimeout(timer)
      waiting.delete(turn)
      resolve(given)
    }
    const turn = () => end(true)
    const timer = Number.isFinite(patienceMs) ? setTimeout(() => end(false), patienceMs) : undefined
    waiting.add(turn)
  })
}
