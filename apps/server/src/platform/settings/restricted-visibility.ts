import { isWiderThan, type Visibility, validationFailed, visibilities } from '@stithy/core'
import type { App } from '../app.ts'
import type { DecidedCaller } from '../http/subjects.ts'

/** Whether `restricted_visibility_levels` leaves a visibility to administrators. */
export function isRestricted({ settings }: App, visibility: Visibility): boolean {
  return settings.restricted_visibility_levels.includes(visibility)
}

/** What the caller did wrong who chose a visibility that is for administrators; empty if nothing. */
export function restrictionErrors(
  app: App,
  { facts }: DecidedCaller,
  visibility: Visibility,
): string[] {
  if (facts.admin || !isRestricted(app, visibility)) return []
  return [`${visibility} has been restricted by your administrator`]
}

/** @throws DomainError `validation_failed` for a visibility that only administrators may choose. */
export function assertNotRestricted(app: App, caller: DecidedCaller, visibility: Visibility): void {
  const errors = restrictionErrors(app, caller, visibility)
  if (errors.length > 0) throw validationFailed({ visibility_level: errors })
}

/** The widest visibility that the caller may choose and that is not wider than the one wanted. */
export function allowedVisibility(app: App, caller: DecidedCaller, wanted: Visibility): Visibility {
  const isAllowed = (visibility: Visibility) =>
    !isWiderThan(visibility, wanted) && restrictionErrors(app, caller, visibility).length === 0
  return visibilities.findLast(isAllowed) ?? 'private'
}
