import {
  badRequest,
  type DomainError,
  forbidden,
  notFound,
  parseRef,
  type RefUpdate,
} from '@stithy/core'
import { findBranch, findTag, GitError, type Repository, updateRefs, zeroOid } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { waitForBranches } from './branch-hold.ts'
import { recordPush } from './push.service.ts'
import { checkRefUpdates, type RefChange } from './push-check.service.ts'
import { journalPush } from './push-journal.ts'

/**
 * Moves refs for a call of the API, all or none, with the checks and effects of a push: checked,
 * journaled, moved by compare-and-swap, recorded. All writes of the API end here; what they write
 * before are unreachable objects.
 * @throws DomainError `forbidden` with the reason when a rule forbids it (`bad_request` if nobody
 * may, or if `refusedAs` says so), `bad_request` when a ref is no longer at `before`, `not_found`
 * when it was to be deleted and does not exist.
 * @param isHolder whether the caller holds the branch, for which others wait
 */
export async function changeRefs(
  app: App,
  change: Omit<RefChange, 'via'> & RefusalStyle & { isHolder?: boolean },
): Promise<void> {
  const { subject, caller, isHolder = false } = change
  await requireRefUpdates(app, { ...change, via: 'api' })
  // A commit equal to the existing one, made in the same second, has the same id.
  const updates = change.updates.filter(({ before, after }) => before !== after)
  if (updates.length === 0) return
  const repository = repositoryOf(app, subject.row)
  const projectId = subject.row.id
  const userId = caller.user?.id ?? 0
  if (!isHolder) await waitForBranches(projectId, updates)
  const pendingPush = await journalPush(app, { projectId, userId, updates })
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
      // Git was killed, perhaps after it had moved them: the job stays, and compares the refs.
      pendingPush.release()
      throw error
    }
    await pendingPush.discard()
    throw await conflictError(app, repository, updates)
  }
  try {
    await recordPush(app, { projectId, userId, updates, journalId: pendingPush.id })
  } finally {
    pendingPush.release()
  }
}

/** The error for the loser of a race: the ref no longer exists, or has moved. */
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

/** How an endpoint responds to refusals. */
export interface RefusalStyle {
  /** `bad_request`: missing rights are a 400 as well, on some endpoints. */
  refusedAs?: 'forbidden' | 'bad_request'
}

/**
 * @throws DomainError `forbidden` or `bad_request`, as for `changeRefs`, with the first reason
 * against a change, before anything is written.
 */
export async function requireRefUpdates(app: App, change: RefChange & RefusalStyle): Promise<void> {
  const [refusal] = await checkRefUpdates(app, change)
  if (refusal === undefined) return
  const { reason, cause } = refusal
  if (cause === 'request' || change.refusedAs === 'bad_request') throw badRequest(reason)
  throw forbidden(reason)
}
