/** Lets one at a time through, in the order of asking. */
export interface Turn {
  readonly taken: boolean
  /** Resolves when it is one's turn; `release` must follow. */
  acquire(): Promise<void>
  release(): void
}

export function createTurn(): Turn {
  const waiting: (() => void)[] = []
  let taken = false
  return {
    get taken() {
      return taken
    },
    acquire() {
      if (!taken) {
        taken = true
        return Promise.resolve()
      }
      return new Promise((resolve) => {
        waiting.push(resolve)
      })
    },
    release() {
      const next = waiting.shift()
      if (next === undefined) taken = false
      else next()
    },
  }
}
