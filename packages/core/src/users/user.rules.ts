import type { FieldErrors } from '../errors.ts'
import { collectErrors, maxNameLength, pathErrors } from '../namespaces/path.rules.ts'

/** Passwords have at least this many characters. */
export const minPasswordLength = 8

/** Passwords have at most this many characters, which bounds the work of hashing one. */
export const maxPasswordLength = 128

const blank = "can't be blank"
const tooLong = `is too long (maximum is ${maxNameLength} characters)`

/** Fields of a user that rules look at; what is left out is not checked. */
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

/** What is wrong with new values of a user, by field; undefined when nothing is. */
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

/** The user who keeps what deleted users wrote is called so. */
export const ghostUsername = 'ghost'

/** What is wrong with a username; empty when nothing is. */
export function usernameErrors(username: string): string[] {
  if (username.toLowerCase() === ghostUsername) return [`${username} is a reserved name`]
  return pathErrors(username, 'top')
}

/** Names of people may hold anything but control characters. */
export function personNameErrors(name: string): string[] {
  if (name.trim() === '') return [blank]
  return [...lengthErrors(name), ...(/\p{Cc}/u.test(name) ? ['is invalid'] : [])]
}

function lengthErrors(value: string | undefined): string[] {
  return value !== undefined && value.length > maxNameLength ? [tooLong] : []
}

/** Something before one `@` and something after it, without spaces, control characters or `<>`. */
const emailPattern = /^[^\s\p{Cc}@<>,;]+@[^\s\p{Cc}@<>,;.]+(?:\.[^\s\p{Cc}@<>,;.]+)*$/u

/** What is wrong with an e-mail address; empty when nothing is. */
export function emailErrors(email: string): string[] {
  if (email === '') return [blank]
  if (email.length > maxNameLength) return [tooLong]
  return emailPattern.test(email) ? [] : ['is invalid']
}

/** What is wrong with a new password; empty when nothing is. */
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

/** How a new user gets in: with a password, or with none until one is set. */
export type PasswordChoice =
  | { kind: 'given'; password: string }
  | { kind: 'none' }
  | { kind: 'missing'; message: string }

/**
 * Document 3, POST /users: `reset_password` wins over `password`, which is needed where it is false.
 * `message` is the text of the parameter error.
 */
export function choosePassword(body: {
  password?: string | undefined
  reset_password?: boolean | undefined
  force_random_password?: boolean | undefined
}): PasswordChoice {
  if (body.reset_password || body.force_random_password) return { kind: 'none' }
  if (body.password) return { kind: 'given', password: body.password }
  const nothingSent = body.password === undefined && body.reset_password === undefined
  const message = nothingSent
    ? 'password, reset_password are missing, at least one parameter must be provided'
    : 'password is missing'
  return { kind: 'missing', message }
}
