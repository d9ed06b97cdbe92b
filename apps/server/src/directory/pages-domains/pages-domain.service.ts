import { randomBytes } from 'node:crypto'
import {
  isWithinDomain,
  maxPagesDomains,
  normalizePagesDomain,
  notFound,
  validationFailed,
} from '@stithy/core'
import {
  countPagesDomains,
  type DomainCertificate,
  deletePagesDomain,
  enqueueJob,
  findPagesDomain,
  insertPagesDomain,
  isUniqueViolation,
  lockProject,
  type PagesDomainRow,
  type Queries,
  type Transaction,
  updateDomainCertificate,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Change } from '../../platform/changes/change.ts'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { outboundQueue } from '../../platform/jobs/queues.ts'
import { readChain, readKeyOf } from './certificate-chain.ts'
import { certificateText, subjectOf } from './certificate-text.ts'
import type { DomainChange } from './pages-domain.changes.ts'

export const verifyDomainKind = 'pages.verify-domain'

/** A chain of certificates and a key, as texts or files in PEM; blank for none. */
export interface SentCertificate {
  certificate?: string | File | undefined
  key?: string | File | undefined
}

/** @throws DomainError `not_found` while the configuration switches pages off */
export function requirePages({ config }: App): void {
  if (!config.pages.enabled) throw notFound('Pages')
}

/** Finds a domain of a project by its name in any form. @throws DomainError `not_found` */
export async function requirePagesDomain(
  q: Queries,
  projectId: number,
  name: string,
): Promise<PagesDomainRow> {
  const domain = normalizePagesDomain(name)
  const row = domain === undefined ? undefined : await findPagesDomain(q, { projectId, domain })
  if (row === undefined) throw notFound('Pages Domain')
  return row
}

/** @throws DomainError `validation_failed` */
export async function addPagesDomain(
  app: App,
  projectId: number,
  { domain: name, ...sent }: SentCertificate & { domain: string },
): Promise<PagesDomainRow> {
  const domain = checkDomain(app, name)
  const certificate = await readCertificate(app, domain, sent)
  const verificationCode = randomBytes(16).toString('hex')
  const now = app.now()
  try {
    return await app.db.transaction(async (tx) => {
      await lockProject(tx, projectId)
      if ((await countPagesDomains(tx, projectId)) >= maxPagesDomains) {
        throw validationFailed({
          base: [`Maximum number of domains (${maxPagesDomains}) exceeded`],
        })
      }
      const row = { projectId, domain, ...certificate, verificationCode, now }
      const added = await insertPagesDomain(tx, row)
      await recordDomainChange(tx, added, 'add', now)
      await verifySoon(app, tx, added)
      return added
    })
  } catch (error) {
    throw isUniqueViolation(error, 'domain')
      ? validationFailed({ domain: ['has already been taken'] })
      : error
  }
}

/**
 * Replaces the certificate, or the key, of a domain; both blank remove them.
 * @throws DomainError `validation_failed`, `not_found`
 */
export async function changePagesDomain(
  app: App,
  row: PagesDomainRow,
  sent: SentCertificate,
): Promise<PagesDomainRow> {
  const stored = {
    certificate: row.certificate ?? undefined,
    key: openKey(app, row),
  }
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  const certificate = await readCertificate(app, row.domain, { ...stored, ...given })
  const now = app.now()
  return app.db.transaction(async (tx) => {
    const changed = await updateDomainCertificate(tx, { id: row.id, ...certificate, now })
    if (changed === undefined) throw notFound('Pages Domain')
    const isSame = changed.certificate === row.certificate && openKey(app, changed) === stored.key
    if (!isSame) await recordDomainChange(tx, changed, 'change', now)
    await verifySoon(app, tx, changed)
    return changed
  })
}

/**
 * Removes a domain of a project.
 * @throws DomainError `not_found`; what `check` throws of the domain
 */
export async function removePagesDomain(
  app: App,
  projectId: number,
  name: string,
  check: (row: PagesDomainRow) => void,
): Promise<void> {
  await app.db.transaction(async (tx) => {
    const row = await requirePagesDomain(tx, projectId, name)
    check(row)
    await deletePagesDomain(tx, row.id)
    await recordDomainChange(tx, row, 'remove', app.now())
  })
}

/** The domain as the subject of a change. */
export function domainOf({ id, projectId, domain }: PagesDomainRow): DomainChange {
  return { projectId, domainId: id, domain }
}

async function recordDomainChange(
  tx: Transaction,
  row: PagesDomainRow,
  action: Change<'pages_domain.changed'>['action'],
  now: number,
): Promise<void> {
  const change = { ...changeByCaller(now), ...domainOf(row), action }
  await recordChange(tx, { kind: 'pages_domain.changed', ...change })
}

async function verifySoon(app: App, tx: Transaction, row: PagesDomainRow): Promise<void> {
  if (!app.settings.pages_domain_verification_enabled || row.verifiedAt !== null) return
  const job = { queue: outboundQueue, kind: verifyDomainKind, payload: { domainId: row.id } }
  await enqueueJob(tx, job, app.now())
}

function checkDomain({ config }: App, name: string): string {
  const domain = normalizePagesDomain(name)
  if (domain === undefined)
    throw validationFailed({ domain: ['is not a fully qualified domain name'] })
  const own = [new URL(config.externalUrl).hostname, config.pages.domain]
  if (own.some((each) => each !== undefined && isWithinDomain(domain, each))) {
    throw validationFailed({ domain: ['is reserved for this instance'] })
  }
  return domain
}

const none: DomainCertificate = {
  certificate: null,
  sealedKey: null,
  subject: null,
  certificateText: null,
  expiresAt: null,
}

async function readCertificate(
  { secrets }: App,
  domain: string,
  sent: SentCertificate,
): Promise<DomainCertificate> {
  const [certificate, key] = [await textOf(sent.certificate), await textOf(sent.key)]
  if (certificate === '' && key === '') return none
  if (certificate === '') throw validationFailed({ certificate: ["can't be blank with a key"] })
  if (key === '') throw validationFailed({ key: ["can't be blank with a certificate"] })
  const chain = readChain(certificate)
  const [first] = chain
  const pem = readKeyOf(first, key).export({ type: 'pkcs8', format: 'pem' })
  return {
    certificate: chain.map(String).join(''),
    sealedKey: secrets.seal(String(pem), purposeOf(domain)),
    subject: subjectOf(first),
    certificateText: certificateText(first),
    expiresAt: Date.parse(first.validTo),
  }
}

async function textOf(value: string | File | undefined): Promise<string> {
  return (typeof value === 'string' ? value : ((await value?.text()) ?? '')).trim()
}

function openKey({ secrets }: App, { domain, sealedKey }: PagesDomainRow): string | undefined {
  return sealedKey === null ? undefined : secrets.open(sealedKey, purposeOf(domain))
}

function purposeOf(domain: string): string {
  return `key of pages domain ${domain}`
}
