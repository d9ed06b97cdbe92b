/** The longest that anything kept the event loop from other work. */
export interface EventLoopWatch {
  /** Names what is running, for the message; the last name counts. */
  note: (activity: string) => void
  /** @throws Error if the event loop was blocked for longer than the limit. */
  stop: () => void
}

/** No request may keep others waiting for as long, in milliseconds of processor time. */
const limitMs = 200
const intervalMs = 5

/**
 * The first requests of a process compile what they run, and load what is loaded on first use: they
 * are not watched.
 */
const warmUpRequests = 50
let requests = 0

/**
 * Watches the event loop of this thread: a timer that comes late by more than `limitMs` of the
 * thread's own processor time. Time in which other processes had the processor doesn't count, so
 * that a busy machine fails no test.
 */
export function watchEventLoop(allowedMs = limitMs): EventLoopWatch {
  let activity = 'the start'
  let longest = { ms: 0, activity }
  let last = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last)
    const ms = (user + system) / 1000
    if (ms > longest.ms && requests > warmUpRequests) longest = { ms, activity }
    last = process.threadCpuUsage()
  }, intervalMs).unref()
  return {
    note: (name) => {
      activity = name
      requests += 1
    },
    stop: () => {
      clearInterval(timer)
      if (longest.ms <= allowedMs) return
      const took = `${Math.round(longest.ms)} ms, of ${allowedMs} ms allowed`
      throw new Error(`The event loop was blocked for ${took}, during ${longest.activity}`)
    },
  }
}
