import { randomBytes } from 'node:crypto'

/** The id of a thread that begins: 40 hex digits. */
export function newDiscussionId(): string {
  return randomBytes(20).toString('hex')
}

/** What ids of discussions look like; anything else is found nowhere. */
export const discussionIdPattern = /^[0-9a-f]{40}$/
