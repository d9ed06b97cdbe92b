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
  enqueueJob,
  findPagesDomain,
  insertPagesDomain,
  isUniqueViolation,
  type PagesDomainRow,
  type Queries,
  type Transaction,
  updateDomainCertificate,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { outboundQueue } from '../../platform/jobs/queues.ts'
import { readChain, readKeyOf } from './certificate-chain.ts'
import { certificateText, subjectOf } from './certificate-text.ts'

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
      if ((await countPagesDomains(tx, projectId)) >= maxPagesDomains) {
        throw validationFailed({
          base: [`Maximum number of domains (${maxPagesDomains}) exceeded`],
        })
      }
      const row = { projectId, domain, ...certificate, verificationCode, now }
      const added = await insertPagesDomain(tx, row)
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
  return app.db.transaction(async (tx) => {
    const changed = await updateDomainCertificate(tx, {
      id: row.id,
      ...certificate,
      now: app.now(),
    })
    if (changed === undefined) throw notFound('Pages Domain')
    await verifySoon(app, tx, changed)
    return changed
  })
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
