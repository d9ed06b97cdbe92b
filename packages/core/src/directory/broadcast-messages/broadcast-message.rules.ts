import { hexColorTexts } from '../../platform/contract/hex-color.rules.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'
import { collectErrors } from '../namespaces/path.rules.ts'

/** Maximum length of a message, in characters. */
export const maxBroadcastLength = 10_000

/** How long a message is shown unless an end is sent, in milliseconds. */
export const broadcastDurationMs = 3_600_000

/** The colors of a message unless others are sent. */
export const broadcastColors = { color: '#E75E40', font: '#FFFFFF' } as const

/** Values of a message; times in milliseconds since the epoch. */
export interface BroadcastValues {
  message: string
  startsAt: number
  endsAt: number
  color: string
  font: string
}

/** Validates a message; returns errors by field, or undefined. */
export function broadcastErrors({
  message,
  startsAt,
  endsAt,
  color,
  font,
}: BroadcastValues): FieldErrors | undefined {
  return collectErrors({
    message: messageTexts(message),
    ends_at: endsAt > startsAt ? [] : ['must be after starts_at'],
    color: hexColorTexts(color),
    font: hexColorTexts(font),
  })
}

function messageTexts(message: string): string[] {
  if (message.trim() === '') return ["can't be blank"]
  return isLongerThan(message, maxBroadcastLength) ? [tooLong(maxBroadcastLength)] : []
}
