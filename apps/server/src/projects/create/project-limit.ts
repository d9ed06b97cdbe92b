import { DomainError, projectLimitText, validationFailed } from '@stithy/core'
import { findPersonalQuota, type NamespaceRow, type Queries } from '@stithy/store'

/** Why a namespace takes no further project. */
export type LimitReason = { kind: 'external' } | { kind: 'full'; text: string }

/**
 * Whether a personal namespace has room for one more project; undefined where it has, and for groups.
 * Its user's limit counts, whoever acts, and external users have no projects of their own. The answer
 * holds until the end of a transaction in which the namespace is locked.
 */
export async function findLimit(
  q: Queries,
  namespace: NamespaceRow,
): Promise<LimitReason | undefined> {
  if (namespace.ownerId === null) return undefined
  const quota = await findPersonalQuota(q, namespace.ownerId)
  if (quota === undefined) return undefined
  if (quota.external === 1 && quota.admin === 0) return { kind: 'external' }
  if (quota.used < quota.projectsLimit) return undefined
  return { kind: 'full', text: projectLimitText(quota.projectsLimit) }
}

/**
 * Refuses a new project where its namespace has no room (catalogue: projects, Errors of create).
 * @throws DomainError `forbidden` with the reason, `validation_failed` for external users.
 */
export async function requireRoom(q: Queries, namespace: NamespaceRow): Promise<void> {
  const limit = await findLimit(q, namespace)
  if (limit === undefined) return
  if (limit.kind === 'external') throw validationFailed({ namespace: ['is not valid'] })
  throw new DomainError('forbidden', { reasons: [limit.text] })
}
