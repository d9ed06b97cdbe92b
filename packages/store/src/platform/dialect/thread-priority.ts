import { getPriority, setPriority } from 'node:os'

/** Where there are more threads than cores, the main thread goes first. */
const niceness = 5

/**
 * Lowers the priority of the calling thread on Linux; elsewhere it would be that of the whole
 * process. Only root may raise one that is lower.
 */
export function yieldToMainThread(): void {
  if (process.platform === 'linux' && getPriority() < niceness) setPriority(niceness)
}
