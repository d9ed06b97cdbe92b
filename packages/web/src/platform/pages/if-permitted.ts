import { StithyError } from '@stithy/client'

/** What a page can do without: undefined if it isn't there, or the viewer may not see it. */
export async function ifPermitted<T>(call: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof StithyError && [401, 403, 404].includes(error.status ?? 0))
      return undefined
    throw error
  }
}

/** Whether an error says that something doesn't exist, or is hidden. */
export function isMissing(error: unknown): error is StithyError {
  return error instanceof StithyError && error.status === 404
}
