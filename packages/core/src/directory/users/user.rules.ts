import { maxNameLength } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'
import { collectErrors, pathErrors } from '../namespaces/path.rules.ts'

/** Minimum length of passwords, in characters. */
export const minPasswordLength = 8

/** Maximum length of passwords in characters, which bounds the cost of hashing. */
export const maxPasswordLength = 128

const blank = "can't be blank"

/** Fields to validate; absent ones are not checked. */
export interface UserValues {
  email?: string | undefined
  username?: string | undefined
  name?: string | undefined
  password?: string | undefined
  public_email?: string | undefined
  bio?: string | undefined
  location?: string | undefined
  organization?: string | undefined
  skype?: string | undefined
  linkedin?: string | undefined
  twitter?: string | undefined
  website_url?: string | undefined
  provider?: string | undefined
  extern_uid?: string | undefined
}

const shortFields = [
  'bio',
  'location',
  'organization',
  'skype',
  'linkedin',
  'twitter',
  'website_url',
  'provider',
  'extern_uid',
] as const

/** Validates new values of a user; returns errors by field, or undefined. */
export function userErrors(values: UserValues): FieldErrors | undefined {
  const fields: FieldErrors = {
    email: values.email === undefined ? [] : emailErrors(values.email),
    username: values.username === undefined ? [] : usernameErrors(values.username),
    name: values.name === undefined ? [] : personNameErrors(values.name),
    password: values.password === undefined ? [] : passwordErrors(values.password),
    public_email: values.public_email ? emailErrors(values.public_email) : [],
  }
  for (const field of shortFields) fields[field] = lengthErrors(values[field])
  return collectErrors(fields)
}

/** Username of the ghost user, who owns contributions of deleted users. */
export const ghostUsername = 'ghost'

/** Errors of a username; empty when valid. */
export function usernameErrors(username: string): string[] {
  if (username.toLowerCase() === ghostUsername) return [`${username} is a reserved name`]
  return pathErrors(username, 'top')
}

/** Errors of a person's name, which must not contain control characters; empty when valid. */
export function personNameErrors(name: string): string[] {
  if (name.trim() === '') return [blank]
  return [...lengthErrors(name), ...(/\p{Cc}/u.test(name) ? ['is invalid'] : [])]
}

function lengthErrors(value: string | undefined): string[] {
  return isLongerThan(value, maxNameLength) ? [tooLong(maxNameLength)] : []
}

/**
 * Non-empty parts before and after a single `@`, without spaces, invisible characters, and those that
 * mean something else in a list of addresses (RFC 5322: comments, quotes, groups).
 */
const emailPattern =
  /^[^\s\p{Cc}\p{Cf}@<>,;:()"\\]+@[^\s\p{Cc}\p{Cf}@<>,;:()"\\.]+(?:\.[^\s\p{Cc}\p{Cf}@<>,;:()"\\.]+)*$/u

/** Errors of an e-mail address; empty when valid. */
export function emailErrors(email: string): string[] {
  if (email === '') return [blank]
  if (isLongerThan(email, maxNameLength)) return [tooLong(maxNameLength)]
  return emailPattern.test(email) ? [] : ['is invalid']
}

/** Errors of a new password; empty when valid. */
export function passwordErrors(password: string): string[] {
  if (password === '') return [blank]
  if (password.length < minPasswordLength) {
    return [`is too short (minimum is ${minPasswordLength} characters)`]
  }
  if (password.length > maxPasswordLength) return [tooLong(maxPasswordLength)]
  return []
}

/** A new user has a password, or none until one is reset. */
export type PasswordChoice =
  | { kind: 'given'; password: string }
  | { kind: 'none' }
  | { kind: 'missing' }

/**
 * `POST /users`: `reset_password` takes precedence over `password`, which is required without it.
 */
export function choosePassword(body: {
  password?: string | undefined
  reset_password?: boolean | undefined
  force_random_password?: boolean | undefined
}): PasswordChoice {
  if (body.reset_password || body.force_random_password) return { kind: 'none' }
  if (body.password) return { kind: 'given', password: body.password }
  return { kind: 'missing' }
}
