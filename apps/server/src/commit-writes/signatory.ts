import { DomainError } from '@stithy/core'
import type { Identity } from '@stithy/git'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'

/** The author that a call may name in place of the caller; blanks count for nothing. */
export interface NamedAuthor {
  author_name?: string | undefined
  author_email?: string | undefined
}

/** The caller as commits name them: full name and primary address, now. */
export function signatureOf(app: App, caller: Caller): Identity {
  if (caller.user === null) throw new DomainError('unauthorized')
  const { name, email } = caller.user
  return { name, email, date: new Date(app.now()) }
}

/** The author of a commit: whom the call names, else the caller. */
export function authorOf(committer: Identity, named: NamedAuthor): Identity {
  return {
    ...committer,
    name: named.author_name || committer.name,
    email: named.author_email || committer.email,
  }
}
