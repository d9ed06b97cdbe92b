import { forbidden } from '@stithy/core'
import type { App } from '../../platform/app.ts'
import type { CallerUser } from '../../platform/http/caller.ts'

/** Path of the page on which users accept the terms of service. */
export const termsPagePath = '/-/users/terms'

type User = Pick<CallerUser, 'acceptedTermsVersion'>

/**
 * Whether a user has yet to accept the terms of service, as they are now: `enforce_terms` and
 * `terms` of the application settings.
 */
export function lacksTerms({ settings, settingsCache }: App, user: User): boolean {
  if (!settings.enforce_terms) return false
  return user.acceptedTermsVersion !== (settingsCache.termsVersion ?? null)
}

/** What is said to users who have yet to accept the terms. */
export function termsText({ config }: App, { username }: CallerUser): string {
  const page = `${config.externalUrl}${termsPagePath}`
  return `You (@${username}) must accept the Terms of Service in order to perform this action: ${page}`
}

/** @throws DomainError `forbidden` for a user who has yet to accept the terms */
export function assertTermsAccepted(app: App, user: CallerUser): void {
  if (lacksTerms(app, user)) throw forbidden(termsText(app, user))
}
