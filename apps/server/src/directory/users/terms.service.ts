import { updateUser } from '@stithy/store'
import type { App } from '../../platform/app.ts'

/** Records which terms of service a user has accepted, by when they were written. */
export async function acceptTerms(
  app: App,
  { userId, version }: { userId: number; version: number },
): Promise<void> {
  await app.db.transaction((tx) => updateUser(tx, userId, { acceptedTermsVersion: version }))
}
