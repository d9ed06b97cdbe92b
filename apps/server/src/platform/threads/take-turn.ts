/** Milliseconds of a turn of the event loop after which work that can wait is left to the next ones. */
const shareMs = 10

const waiting: (() => void)[] = []
let isAdmitting = false
/** When the first piece of work of this turn began; undefined if there was none yet. */
let beganAt: number | undefined

/**
 * Waits for a turn of the event loop in which little has been done of what calls this before each of
 * its pieces: so many requests that have some milliseconds of work each don't do it in one turn.
 */
export function takeTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (isAdmitting) return
    isAdmitting = true
    admit()
  })
}

function admit(): void {
  const [next] = waiting
  if (next === undefined) {
    isAdmitting = false
  } else if (hasTime()) {
    waiting.shift()
    next()
    // A call within the process begins in the next tick.
    afterMicrotasks(() => afterMicrotasks(admit))
  } else {
    setImmediate(admit)
  }
}

/** Runs once all microtasks have: a tick that one of them adds comes after them, any other before. */
function afterMicrotasks(run: () => void): void {
  queueMicrotask(() => process.nextTick(run))
}

function hasTime(): boolean {
  const now = performance.now()
  if (beganAt !== undefined) return now - beganAt < shareMs
  beganAt = now
  setImmediate(() => {
    beganAt = undefined
  })
  return true
}
