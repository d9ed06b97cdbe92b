import { StithyError } from '@stithy/client'
import type { FormError } from '../../platform/forms/submit.ts'

/** What people can do about a refusal, by its status. */
export type Explanations = Readonly<Record<number, string>>

/**
 * Makes a call of an action that may be refused for a reason that the page explains.
 * @returns nothing if it was done, else what to show above the page
 */
export async function attempt(
  call: PromiseLike<unknown>,
  explanations: Explanations,
): Promise<FormError[]> {
  try {
    await call
    return []
  } catch (error) {
    const text = error instanceof StithyError ? explanations[error.status ?? 0] : undefined
    if (text === undefined) throw error
    return [{ field: '', text }]
  }
}
