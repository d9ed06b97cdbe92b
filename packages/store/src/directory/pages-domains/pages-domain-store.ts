import type { DomainVerification } from '@stithy/core'
import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList, pick } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

export type PagesDomainRow = Row<'pagesDomains'>

/** A certificate with its key, and what is shown of it; null for none. */
export type DomainCertificate = Pick<
  PagesDomainRow,
  'certificate' | 'sealedKey' | 'subject' | 'certificateText' | 'expiresAt'
>

const certificateColumns = [
  'certificate',
  'sealedKey',
  'subject',
  'certificateText',
  'expiresAt',
] as const

interface DomainKey {
  projectId: number
  domain: string
}

/** One page of the domains of a project, or of all, in alphabetical order. At most two queries. */
export function listPagesDomains(
  q: Queries,
  { projectId }: { projectId?: number },
  request: PageRequest,
): Promise<Page<PagesDomainRow>> {
  const kind = projectId === undefined ? 'all' : 'project'
  return listUncached(q, request, {
    shape: `pages-domains.of-${kind}`,
    args: { projectId: projectId ?? 0 },
    key: 'pagesDomains.id',
    from: (db, $) => {
      const domains = db.selectFrom('pagesDomains')
      return kind === 'all' ? domains : domains.where('projectId', '=', $('projectId'))
    },
    order: (query) => query.orderBy('domain'),
    columns: (query) => query.selectAll('pagesDomains'),
  })
}

/** A domain of a project, or undefined. */
export function findPagesDomain(q: Queries, key: DomainKey): Promise<PagesDomainRow | undefined> {
  return q.first('pages-domains.find', key, (db, $) =>
    db
      .selectFrom('pagesDomains')
      .selectAll()
      .where('domain', '=', $('domain'))
      .where('projectId', '=', $('projectId')),
  )
}

/** A domain by its id, or undefined. */
export function findDomainToVerify(
  q: Queries,
  args: { id: number },
): Promise<PagesDomainRow | undefined> {
  return q.first('pages-domains.find-id', args, (db, $) =>
    db.selectFrom('pagesDomains').selectAll().where('id', '=', $('id')),
  )
}

/** How many domains a project has. */
export async function countPagesDomains(q: Queries, projectId: number): Promise<number> {
  const counted = await q.first('pages-domains.count', { projectId }, (db, $) =>
    db
      .selectFrom('pagesDomains')
      .where('projectId', '=', $('projectId'))
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return counted?.total ?? 0
}

/** Adds a domain; one that any project has is a unique violation. */
export async function insertPagesDomain(
  tx: Transaction,
  domain: DomainKey & DomainCertificate & { verificationCode: string; now: number },
): Promise<PagesDomainRow> {
  const row = await tx.first('pages-domains.insert', domain, (db, $) =>
    db
      .insertInto('pagesDomains')
      .values({
        ...pick($, ['projectId', 'domain', 'verificationCode', ...certificateColumns]),
        checkAt: $('now'),
        createdAt: $('now'),
        updatedAt: $('now'),
      })
      .returningAll(),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/** Changes the certificate of a domain; undefined if the domain is gone. */
export function updateDomainCertificate(
  tx: Transaction,
  domain: DomainCertificate & { id: number; now: number },
): Promise<PagesDomainRow | undefined> {
  return tx.first('pages-domains.update', domain, (db, $) =>
    db
      .updateTable('pagesDomains')
      .set({ ...pick($, certificateColumns), updatedAt: $('now') })
      .where('id', '=', $('id'))
      .returningAll(),
  )
}

/** Records the outcome of a verification. */
export async function updateDomainVerification(
  tx: Transaction,
  domain: DomainVerification & { id: number },
): Promise<void> {
  await tx.run('pages-domains.verify', domain, (db, $) =>
    db
      .updateTable('pagesDomains')
      .set(pick($, ['verifiedAt', 'enabledUntil', 'checkAt']))
      .where('id', '=', $('id')),
  )
}

/**
 * Takes up to `limit` domains that are due to be verified, and has them be due again at `next`.
 * Returns their ids.
 */
export async function takeDueDomains(
  tx: Transaction,
  args: { now: number; next: number; limit: number },
): Promise<number[]> {
  const due = await tx.all('pages-domains.due', args, (db, $) =>
    db
      .selectFrom('pagesDomains')
      .select('id')
      .where('checkAt', '<=', $('now'))
      .orderBy('checkAt')
      .orderBy('id')
      .limit($('limit')),
  )
  const ids = due.map(({ id }) => id)
  await tx.run('pages-domains.postpone', { ids, next: args.next }, (db, $) =>
    db
      .updateTable('pagesDomains')
      .set({ checkAt: $('next') })
      .where(inList('pagesDomains.id', $('ids'))),
  )
  return ids
}

/** Deletes a domain. */
export async function deletePagesDomain(tx: Transaction, id: number): Promise<void> {
  await tx.run('pages-domains.delete', { id }, (db, $) =>
    db.deleteFrom('pagesDomains').where('id', '=', $('id')),
  )
}
