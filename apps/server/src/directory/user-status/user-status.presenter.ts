import type { UserStatus } from '@stithy/core'
import type { UserStatusRow } from '@stithy/store'
import { emojiHtml } from '../../platform/text/emoji/emoji-html.ts'

/** Builds the shape of a status; that of a user without one is empty. */
export function presentUserStatus(status: UserStatusRow | undefined): UserStatus {
  const { emoji, message } = status ?? { emoji: '', message: '' }
  return { emoji, message, message_html: emojiHtml(message).text }
}
