import {
  badRequest,
  type DomainError,
  forbidden,
  notFound,
  parseRef,
  type RefUpdate,
} from '@stithy/core'
import { findBranch, findTag, GitError, type Repository, updateRefs, zeroOid } from '@stithy/git'
import type { App } from '../app.ts'
import { repositoryOf } from '../repositories/repository.service.ts'
import { recordPush } from './push.service.ts'
import { checkRefUpdates, type RefChange } from './push-check.service.ts'
import { notePush } from './push-journal.ts'

/**
 * Moves refs for a call of the API, all or none, with the checks and the after-effects of a push: checked,
 * noted, moved by compare-and-swap, recorded. Every write of the API ends here; what it writes before are
 * objects that no ref reaches yet.
 * @throws DomainError `forbidden` with the reason where a rule is against it (`bad_request` where nobody's
 * rights would help, or where that is asked for), `bad_request` where a ref is no longer where `before` says, `not_found` where
 * it was to be deleted and is gone.
 */
export async function changeRefs(
  app: App,
  change: Omit<RefChange, 'via'> & RefusalStyle,
): Promise<void> {
  const { subject, caller } = change
  await requireRefUpdates(app, { ...change, via: 'api' })
  // A commit like the one that is there, made in the same second, is that one.
  const updates = change.updates.filter(({ before, after }) => before !== after)
  if (updates.length === 0) return
  const repository = repositoryOf(app, subject.row)
  const projectId = subject.row.id
  const userId = caller.user?.id ?? 0
  const ticket = await notePush(app, { projectId, userId, updates })
  try {
    await updateRefs(
      app.git,
      repository,
      updates.map(({ ref, before, after }) => ({
        ref,
        newOid: after ?? zeroOid,
        oldOid: before ?? zeroOid,
      })),
    )
  } catch (error) {
    if (!isConflict(error)) {
      // Git was cut off, perhaps when it had moved them: the note stays, and is looked into.
      ticket.release()
      throw error
    }
    await ticket.discard()
    throw await conflictError(app, repository, updates)
  }
  try {
    await recordPush(app, { projectId, userId, updates, journalId: ticket.id })
  } finally {
    ticket.release()
  }
}

/** Who loses a race to another caller is told what that one has left: nothing, or another place. */
async function conflictError(
  app: App,
  repository: Repository,
  updates: readonly RefUpdate[],
): Promise<DomainError> {
  for (const { ref, after } of updates) {
    const named = parseRef(ref)
    if (after !== null || named === undefined) continue
    const isBranch = named.type === 'branch'
    const find = isBranch ? findBranch : findTag
    const found = await find(app.git, repository, named.name)
    if (found === undefined) return notFound(isBranch ? 'Branch' : 'Tag')
  }
  return badRequest('The branch or tag changed in the meantime. Please try again.')
}

function isConflict(error: unknown): boolean {
  return error instanceof GitError && error.code === 'conflict'
}

/** How an endpoint answers to refusals. */
export interface RefusalStyle {
  /** `bad_request`: also what other rights would allow is a 400, as some endpoints have it. */
  refusedAs?: 'forbidden' | 'bad_request'
}

/**
 * @throws DomainError `forbidden` or `bad_request`, as for `changeRefs`, with the first reason against a
 * change, before anything is written.
 */
export async function requireRefUpdates(app: App, change: RefChange & RefusalStyle): Promise<void> {
  const [refusal] = await checkRefUpdates(app, change)
  if (refusal === undefined) return
  const { reason, fault } = refusal
  if (fault === 'request' || change.refusedAs === 'bad_request') throw badRequest(reason)
  throw forbidden(reason)
}
