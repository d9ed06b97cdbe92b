import { randomBytes } from 'node:crypto'

/** Generates the id of a new discussion: 40 hex digits. */
export function newDiscussionId(): string {
  return randomBytes(20).toString('hex')
}

/** The format of discussion ids. */
export const discussionIdPattern = /^[0-9a-f]{40}$/
