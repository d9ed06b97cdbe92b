import { StithyError } from '@stithy/client'

/** What a call does; nothing where it was done before, as by a form that is sent twice. */
export async function unlessDone<T>(call: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof StithyError && error.status === 304) return undefined
    throw error
  }
}
