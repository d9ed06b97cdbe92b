import { isMissing } from './if-permitted.ts'

/**
 * As `Promise.all`, but the outcome doesn't depend on which of several calls fails first: what doesn't
 * exist for the viewer is a 404, also where another call asks to sign in.
 */
export async function loadAll<T extends readonly unknown[] | []>(
  calls: T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  try {
    return await Promise.all(calls)
  } catch (error) {
    for (const outcome of await Promise.allSettled(calls)) {
      if (outcome.status === 'rejected' && isMissing(outcome.reason)) throw outcome.reason
    }
    throw error
  }
}
