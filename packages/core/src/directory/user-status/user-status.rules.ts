import type { FieldErrors } from '../../platform/errors.ts'

/** Maximum length of the message of a status, in characters. */
export const maxStatusMessageLength = 100

/** The emoji of a status that names none. */
const defaultEmoji = 'speech_balloon'

/** A status as it is stored. */
export interface StatusValues {
  emoji: string
  message: string
}

/** The status that a request sets; undefined if it clears it. */
export function statusOf(emoji = '', message = ''): StatusValues | undefined {
  if (emoji === '' && message === '') return undefined
  return { emoji: emoji || defaultEmoji, message }
}

/** Errors for a status; `isEmoji` says whether there is an emoji of that name. */
export function userStatusErrors(
  { emoji, message }: StatusValues,
  isEmoji: (name: string) => boolean,
): FieldErrors | undefined {
  const errors: FieldErrors = {
    ...(isEmoji(emoji) ? {} : { emoji: ['is not included in the list'] }),
    ...([...message].length <= maxStatusMessageLength
      ? {}
      : { message: [`is too long (maximum is ${maxStatusMessageLength} characters)`] }),
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}
