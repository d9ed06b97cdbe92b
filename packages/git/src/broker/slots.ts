/** A number of places; who finds none waits in line. */
export interface Slots {
  /** Resolves with what gives the place back; calling that twice does no harm. */
  take(): Promise<() => void>
}

/** Creates `count` places, so that a burst of diffs doesn't become a burst of processes. */
export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = []
  let free = count
  const give = () => {
    let given = false
    return () => {
      if (given) return
      given = true
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
  return {
    async take() {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      return give()
    },
  }
}
