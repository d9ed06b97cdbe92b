import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDnsServer, type TestDnsServer } from '../../testing/clients/dns-server.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { verificationName, verifyDomainsJob } from './pages-domain.jobs.ts'

/**
 * Covered: verification by a DNS record of the domain, or below it; what follows from it, and from a
 * record that is gone; audit events of both; how often it is tried; the setting that switches it off.
 */

const hour = 60 * 60_000
const day = 24 * hour

let dns: TestDnsServer
let server: TestServer
let project: Json

beforeAll(async () => {
  dns = await startDnsServer()
  const pages = { enabled: true, domain: undefined, dnsServers: [dns.address] }
  server = await buildTestServer({ pages })
  project = await server.buildProject()
})
afterAll(async () => {
  await server.close()
  dns.close()
})

const call = (method: string, end = '', body?: object) =>
  server.inject(method, `/projects/${project.id}/pages/domains${end}`, {
    token: server.root.token,
    ...(body === undefined ? {} : { body }),
  })
const show = async (domain: string) => (await call('GET', `/${domain}`)).body

async function passTime(ms: number): Promise<void> {
  server.advance(ms)
  await verifyDomainsJob.run(server.app)
  await server.runJobs()
}

function addRecord(name: string, { verification_code: code }: Json): void {
  dns.records.set(name, `stithy-pages-verification-code=${code}`)
}

describe('a pages domain', () => {
  it.each([
    ['below it', 'a.example', verificationName],
    ['of its own', 'b.example', (domain: string) => domain],
  ])('is verified by a record %s, for seven days', async (_, domain, nameOf) => {
    const { body } = await call('POST', '', { domain })
    await server.runJobs()
    expect(await show(domain)).toEqual(body)
    addRecord(nameOf(domain), body)
    await passTime(hour)
    const found = await show(domain)
    expect(found).toMatchObject({ verified: true })
    const left = Date.parse(found.enabled_until) - server.app.now()
    expect(Math.round(left / hour)).toBe(7 * 24)

    dns.records.clear()
    await passTime(3 * day)
    expect(await show(domain)).toEqual(found)
    await passTime(day)
    expect(await show(domain)).toMatchObject({
      verified: false,
      enabled_until: found.enabled_until,
    })
    await passTime(4 * day)
    expect(await show(domain)).toMatchObject({ verified: false, enabled_until: null })
    // Only what changes is recorded.
    const events = await server.inject('GET', `/projects/${project.id}/audit_events`, server.root)
    const acts = events.body
      .filter(({ details }: Json) => details.target_details === domain && details.change)
      .map(({ author_id, details: { author_name, change, from, to } }: Json) => {
        return { author_id, author_name, change, from, to }
      })
    const act = { author_id: null, author_name: 'Server', change: 'pages_domain_verification' }
    expect(acts).toEqual([
      { ...act, from: 'verified', to: 'unverified' },
      { ...act, from: 'unverified', to: 'verified' },
    ])
  })

  it('is verified at once when it is created or changed with its record in place', async () => {
    const { body } = await call('POST', '', { domain: 'c.example' })
    await server.runJobs()
    dns.records.set(verificationName('c.example'), 'stithy-pages-verification-code=other')
    await call('PUT', '/c.example', {})
    await server.runJobs()
    expect(await show('c.example')).toMatchObject({ verified: false })
    addRecord(verificationName('c.example'), body)
    await call('PUT', '/c.example', {})
    await server.runJobs()
    expect(await show('c.example')).toMatchObject({ verified: true })
  })

  it('counts as verified while verification is switched off', async () => {
    await call('POST', '', { domain: 'd.example' })
    await server.inject('PUT', '/application/settings', {
      token: server.root.token,
      body: { pages_domain_verification_enabled: false },
    })
    await server.runJobs()
    expect(await show('d.example')).toMatchObject({ verified: true, enabled_until: null })
  })
})
