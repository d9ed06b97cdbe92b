import type { FieldErrors } from '../../platform/errors.ts'
import { collectErrors, maxNameLength, pathErrors } from '../namespaces/path.rules.ts'

/** Minimum length of passwords, in characters. */
export const minPasswordLength = 8

/** Maximum length of passwords in characters, which bounds the cost of hashing. */
export const maxPasswordLength = 128

const blank = "can't be blank"
const tooLong = `is too long (maximum is ${maxNameLength} characters)`

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
  return value !== undefined && value.length > maxNameLength ? [tooLong] : []
}

/** Non-empty parts before and after a single `@`, without spaces, control characters or `<>`. */
const emailPattern = /^[^\s\p{Cc}@<>,;]+@[^\s\p{Cc}@<>,;.]+(?:\.[^\s\p{Cc}@<>,;.]+)*$/u

/** Errors of an e-mail address; empty when valid. */
export function emailErrors(email: string): string[] {
  if (email === '') return [blank]
  if (email.length > maxNameLength) return [tooLong]
  return emailPattern.test(email) ? [] : ['is invalid']
}

/** Errors of a new password; empty when valid. */
export function passwordErrors(password: string): string[] {
  if (password === '') return [blank]
  if (password.length < minPasswordLength) {
    return [`is too short (minimum is ${minPasswordLength} characters)`]
  }
  if (password.length > maxPasswordLength) {
    return [`is too long (maximum is ${maxPasswordLength} characters)`]
  }
  return []
}

/** A new user has a password, or none until one is reset. */
export type PasswordChoice =
  | { kind: 'given'; password: string }
  | { kind: 'none' }
  | { kind: 'missing'; message: string }

/**
 * `POST /users`: `reset_password` takes precedence over `password`, which is required without it.
 * `message` is the text of the parameter error.
 */
export function choosePassword(body: {
  password?: string | undefined
  reset_password?: boolean | undefined
  force_random_password?: boolean | undefined
}): PasswordChoice {
  if (body.reset_password || body.force_random_password) return { kind: 'none' }
  if (body.password) return { kind: 'given', password: body.password }
  const isAbsent = body.password === undefined && body.reset_password === undefined
  const message = isAbsent
    ? 'password, reset_password are missing, at least one parameter must be provided'
    : 'password is missing'
  return { kind: 'missing', message }
}
