import { emailErrors, maxSecondaryEmails, notFound, validationFailed } from '@stithy/core'
import {
  countSecondaryEmails,
  deleteEmail,
  type EmailRow,
  findSecondaryEmail,
  findTakenNames,
  insertEmail,
  isUniqueViolation,
  type Queries,
} from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { requestConfirmation } from './email-confirmation.service.ts'
import { freeAbandonedEmail } from './primary-email.service.ts'

/** An address to add to a user. */
export interface EmailRequest {
  userId: number
  email: string
  /** Who adds it. */
  by: number | null
  /** Whether it counts without being confirmed. */
  skipConfirmation: boolean
}

const takenErrors = { email: ['has already been taken'] }

/** Finds a secondary address of a user. @throws DomainError `not_found` */
export async function requireEmail(
  q: Queries,
  email: { userId: number; id: number },
): Promise<EmailRow> {
  const row = await findSecondaryEmail(q, email)
  if (row === undefined) throw notFound('Email')
  return row
}

/**
 * Adds a secondary address to a user, who must confirm it.
 * @throws DomainError `validation_failed`, also for an address that any user has
 */
export async function addEmail(
  app: App,
  { userId, email, by, skipConfirmation }: EmailRequest,
): Promise<EmailRow> {
  const errors = emailErrors(email)
  if (errors.length > 0) throw validationFailed({ email: errors })
  const now = app.now()
  const confirmedAt = skipConfirmation ? now : null
  return app.db
    .transaction(async (tx) => {
      await freeAbandonedEmail(tx, email, now)
      const taken = await findTakenNames(tx, { username: '', email, exceptId: 0 })
      if (taken.email) throw validationFailed(takenErrors)
      if ((await countSecondaryEmails(tx, userId)) >= maxSecondaryEmails) {
        throw validationFailed({ base: [`a user has at most ${maxSecondaryEmails} addresses`] })
      }
      const values = { userId, kind: 'secondary', email, confirmedAt, createdAt: now } as const
      const row = await insertEmail(tx, values)
      if (!skipConfirmation) await requestConfirmation(tx, row, { by, now })
      return row
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'emailLower') ? validationFailed(takenErrors) : error
    })
}

/** Deletes a secondary address of a user. @throws DomainError `not_found` */
export async function removeEmail(app: App, email: { userId: number; id: number }): Promise<void> {
  await app.db.transaction(async (tx) => {
    const { id } = await requireEmail(tx, email)
    await deleteEmail(tx, id)
  })
}
