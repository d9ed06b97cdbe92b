import { Resolver } from 'node:dns/promises'
import { type DomainVerification, verificationAfter } from '@stithy/core'
import {
  enqueueJob,
  findDomainToVerify,
  type PagesDomainRow,
  type Transaction,
  takeDueDomains,
  updateDomainVerification,
} from '@stithy/store'
import { z } from 'zod'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { inBatches } from '../../platform/jobs/in-batches.ts'
import { outboundQueue } from '../../platform/jobs/queues.ts'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { domainOf, verifyDomainKind } from './pages-domain.service.ts'

const Payload = z.object({ domainId: z.int() })

const hour = 60 * 60_000
const lookup = { timeout: 5000, tries: 2 }

/** Looks whether the DNS records of a domain have its code, and records the outcome. */
export const verifyDomainJob: JobHandler = {
  kind: verifyDomainKind,
  async run(app, payload) {
    const { domainId: id } = Payload.parse(payload)
    const domain = await findDomainToVerify(app.db, { id })
    if (domain === undefined || !app.settings.pages_domain_verification_enabled) return
    const isFound = await hasCode(app, domain)
    const outcome = verificationAfter(isFound, domain, app.now())
    await app.db.transaction((tx) => recordOutcome(tx, id, outcome, app.now()))
  },
}

async function recordOutcome(
  tx: Transaction,
  id: number,
  outcome: DomainVerification,
  now: number,
): Promise<void> {
  const domain = await findDomainToVerify(tx, { id })
  if (domain === undefined) return
  await updateDomainVerification(tx, { id, ...outcome })
  const isVerified = outcome.verifiedAt !== null
  if (isVerified === (domain.verifiedAt !== null)) return
  const change = { userId: null, at: now, now, ...domainOf(domain), isVerified }
  await recordChange(tx, { kind: 'pages_domain.verified', ...change })
}

/** Enqueues the verification of domains that are due; scheduled once an hour. */
export const verifyDomainsJob = {
  kind: 'pages.verify-domains',
  async run(app: App): Promise<void> {
    if (!app.settings.pages_domain_verification_enabled || !app.config.pages.enabled) return
    const now = app.now()
    await inBatches((limit) =>
      app.db.transaction(async (tx) => {
        const ids = await takeDueDomains(tx, { now, next: now + hour, limit })
        for (const domainId of ids) {
          const job = { queue: outboundQueue, kind: verifyDomainKind, payload: { domainId } }
          await enqueueJob(tx, job, now)
        }
        return ids.length
      }),
    )
  },
}

/** The name below a domain whose TXT record has its code. */
export function verificationName(domain: string): string {
  return `_stithy-pages-verification-code.${domain}`
}

async function hasCode(
  { config }: App,
  { domain, verificationCode }: PagesDomainRow,
): Promise<boolean> {
  const resolver = new Resolver(lookup)
  if (config.pages.dnsServers.length > 0) resolver.setServers(config.pages.dnsServers)
  const expected = `stithy-pages-verification-code=${verificationCode}`
  // The record may also be that of the domain itself.
  for (const name of [verificationName(domain), domain]) {
    const records = await resolver.resolveTxt(name).catch(() => [])
    if (records.some((chunks) => chunks.join('').trim() === expected)) return true
  }
  return false
}
