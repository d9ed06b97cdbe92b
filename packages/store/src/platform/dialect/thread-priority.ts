import { getPriority, setPriority } from 'node:os'

/**
 * Where there are more threads than cores, the main thread goes first, and what no request waits for
 * goes last.
 */
const levels = { foreground: 5, background: 10 } as const

/**
 * Lowers the priority of the calling thread on Linux; elsewhere it would be that of the whole
 * process. Only root may raise one that is lower.
 */
export function yieldToMainThread(level: keyof typeof levels): void {
  const niceness = levels[level]
  if (process.platform === 'linux' && getPriority() < niceness) setPriority(niceness)
}
