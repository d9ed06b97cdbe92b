import {
  DomainError,
  domainErrors,
  type FieldErrors,
  userErrors,
  validationFailed,
} from '@stithy/core'
import { findCaller } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { CallerUser } from '../../platform/http/caller.ts'
import { callerUser } from '../authentication/caller-user.ts'
import { createUser } from './user.service.ts'

/** What visitors say of themselves. */
export interface SignUp {
  name: string
  username: string
  email: string
  password: string
}

/**
 * Creates the account of a visitor, by the rules of the application settings. Undefined if the
 * address must be confirmed before the first sign-in.
 * @throws DomainError `validation_failed`; `unavailable` while too many passwords are hashed
 */
export async function signUp(app: App, values: SignUp): Promise<CallerUser | undefined> {
  const errors = signUpErrors(app, values)
  if (errors !== undefined) throw validationFailed(errors)
  const { id } = await createUser(app, values).catch((error: unknown) => {
    throw asFieldErrors(error)
  })
  if (app.settings.send_user_confirmation_email) return undefined
  const row = await findCaller(app.db, { id })
  return row && callerUser(row)
}

/** The domain is looked at once the address is known to be short and well-formed. */
function signUpErrors(app: App, values: SignUp): FieldErrors | undefined {
  const errors = userErrors(values)
  if (errors?.email !== undefined) return errors
  const email = domainErrors(values.email, app.settings)
  return email.length === 0 ? errors : { ...errors, email }
}

/** A taken name is shown beside its field. */
function asFieldErrors(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.code !== 'conflict') return error
  const field = error.message.startsWith('Email') ? 'email' : 'username'
  return validationFailed({ [field]: ['has already been taken'] })
}
