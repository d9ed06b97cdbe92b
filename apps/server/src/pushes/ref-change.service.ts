import { badRequest, forbidden } from '@stithy/core'
import { GitError, updateRefs, zeroOid } from '@stithy/git'
import type { App } from '../app.ts'
import { repositoryOf } from '../repositories/repository.service.ts'
import { recordPush } from './push.service.ts'
import { checkRefUpdates, type RefChange } from './push-check.service.ts'
import { notePush } from './push-journal.ts'

/**
 * Moves refs for a call of the API, all or none, with the checks and the after-effects of a push: checked,
 * noted, moved by compare-and-swap, recorded. Every write of the API ends here; what it writes before are
 * objects that no ref reaches yet.
 * @throws DomainError `forbidden` with the reason where a rule is against it, `bad_request` where a ref is
 * no longer where `before` says.
 */
export async function changeRefs(app: App, change: Omit<RefChange, 'via'>): Promise<void> {
  const { subject, caller, updates } = change
  await requireRefUpdates(app, { ...change, via: 'api' })
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
    await ticket.discard()
    throw isConflict(error) ? badRequest(movedMessage) : error
  }
  try {
    await recordPush(app, { projectId, userId, updates, journalId: ticket.id })
  } finally {
    ticket.release()
  }
}

const movedMessage = 'The branch or tag changed in the meantime. Please try again.'

function isConflict(error: unknown): boolean {
  return error instanceof GitError && error.code === 'conflict'
}

/** @throws DomainError `forbidden` with the first reason against a change, before anything is written. */
export async function requireRefUpdates(app: App, change: RefChange): Promise<void> {
  const [refusal] = await checkRefUpdates(app, change)
  if (refusal !== undefined) throw forbidden(refusal.reason)
}
