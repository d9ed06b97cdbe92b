import { withQuery } from '../text/addresses.ts'
import type { PageCall } from './page-call.ts'

/** The page to sign in, which leads back to this one. */
export function signInAddress({ address }: Pick<PageCall, 'address'>): string {
  return withQuery('/users/sign_in', { return_to: address })
}
