import { setFlagsFromString } from 'node:v8'

/**
 * Keeps V8 from optimizing what a start calls some hundred times: the optimizing compiler would
 * need up to 20 MiB for it at once, and the holes that these leave are not returned to the system.
 */
export function delayOptimization(): void {
  setFlagsFromString('--invocation-count-for-maglev=2000')
}

/** Optimizes what is called often from now on, as is the default of V8. */
export function resumeOptimization(): void {
  setFlagsFromString('--invocation-count-for-maglev=400')
}
