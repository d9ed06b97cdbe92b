import { DomainError } from '@stithy/core'
import type { Identity } from '@stithy/git'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'

/** The author that a call may name instead of the caller; blank values count as absent. */
export interface NamedAuthor {
  author_name?: string | undefined
  author_email?: string | undefined
}

/** The caller as an author or committer: full name and primary address, at the current time. */
export function callerIdentity(app: App, caller: Caller): Identity {
  if (caller.user === null) throw new DomainError('unauthorized')
  const { name, email } = caller.user
  return { name, email, date: new Date(app.now()) }
}

/** The author of a commit: the one that the call names, else the caller. */
export function authorOf(committer: Identity, named: NamedAuthor): Identity {
  return {
    ...committer,
    name: named.author_name || committer.name,
    email: named.author_email || committer.email,
  }
}
