import { StithyError } from '@stithy/client'

/** What a call gives; undefined where it is refused, such as in a tier that lacks the feature. */
export async function unlessRefused<T>(call: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    const status = error instanceof StithyError ? (error.status ?? 500) : 500
    if (status === 401 || status === 403 || status === 404) return undefined
    throw error
  }
}

/** What a call does; nothing where it was done before, as by a form that is sent twice. */
export async function unlessDone<T>(call: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof StithyError && error.status === 304) return undefined
    throw error
  }
}
