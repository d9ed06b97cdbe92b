import { conflict, DomainError } from '@stithy/core'
import { type BranchPair, findOpenBetween, isUniqueViolation } from '@stithy/store'
import type { App } from '../../../platform/app.ts'

/** The branches of a merge request, which may be stored already. */
interface Request extends Omit<BranchPair, 'sourceProjectId'> {
  id?: number
  /** Null once the fork is deleted. */
  sourceProjectId: number | null
}

/**
 * Checks that no other merge request between the same branches is open, before much is done.
 * @throws DomainError `conflict`
 */
export async function requireOnlyOpen(app: App, request: Request): Promise<void> {
  const other = await findOther(app, request)
  if (other !== undefined && other.id !== request.id) throw duplicate(other.iid)
}

/**
 * Does what may open a merge request or change its branches. Of concurrent calls for the same
 * branches, also of several servers, the database lets one succeed.
 * @throws DomainError `conflict` for the others
 */
export async function asOnlyOpen<T>(
  app: App,
  request: Request,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, 'sourceBranch')) throw error
    const other = await findOther(app, request)
    throw other === undefined ? conflict('409 Conflict: Resource lock') : duplicate(other.iid)
  }
}

async function findOther(app: App, { sourceProjectId, ...request }: Request) {
  if (sourceProjectId === null) return undefined
  const { sourceBranch, projectId, targetBranch } = request
  return findOpenBetween(app.db, { sourceProjectId, sourceBranch, projectId, targetBranch })
}

function duplicate(iid: number): DomainError {
  const text = `Another open merge request already exists for this source branch: !${iid}`
  return new DomainError('conflict', { reasons: [text] })
}
