import { DomainError, projectLimitText, validationFailed } from '@stithy/core'
import { findPersonalQuota, type NamespaceRow, type Queries } from '@stithy/store'

/** Why a namespace accepts no further project. */
export type LimitReason = { kind: 'external' } | { kind: 'full'; text: string }

/**
 * Checks the project limit of a personal namespace; undefined when it has not been reached, and for
 * groups. The limit of the namespace's user applies, whoever creates the project; external users
 * can't have personal projects. The result holds until the end of a transaction that locks the
 * namespace.
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
 * Rejects a new project when the namespace's limit is reached.
 * @throws DomainError `forbidden` with the reason, `validation_failed` for external users.
 */
export async function requireProjectQuota(q: Queries, namespace: NamespaceRow): Promise<void> {
  const limit = await findLimit(q, namespace)
  if (limit === undefined) return
  if (limit.kind === 'external') throw validationFailed({ namespace: ['is not valid'] })
  throw new DomainError('forbidden', { reasons: [limit.text] })
}
