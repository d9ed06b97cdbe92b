import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildCertificate } from '../../testing/certificate.ts'
import { encryptKey, issueCertificates } from '../../testing/certificate-chain.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

/**
 * Covered: the list of administrators; lists, single domains, creation, update and deletion, with and
 * without a certificate; texts and files; host names; chains and their order; keys of each type, and
 * those that are refused; that keys are stored encrypted and never shown; roles; archived projects;
 * pages switched off. Verification is tested beside its job.
 */

let server: TestServer
let project: Json
let maintainer: TestUser
let issued: Awaited<ReturnType<typeof issueAll>>

const issueAll = () =>
  issueCertificates({
    root: {},
    intermediate: { issuer: 'root' },
    leaf: { issuer: 'intermediate' },
    ed25519: { key: ['-newkey', 'ed25519'] },
    short: { key: ['-newkey', 'rsa:1024'] },
  })

beforeAll(async () => {
  server = await buildTestServer()
  issued = await issueAll()
})
afterAll(() => server.close())
beforeEach(async () => {
  project = await server.buildProject()
  maintainer = await server.buildUser()
  await server.addMember(`projects/${project.id}`, maintainer.id, 40)
})

let number = 0
function newDomain(): string {
  number += 1
  return `site-${number}.example`
}

const call = (method: string, end = '', body?: object, { token } = maintainer) =>
  server.inject(method, `/projects/${project.id}/pages/domains${end}`, {
    token,
    ...(body === undefined ? {} : { body }),
  })
const create = (values: object) => call('POST', '', { domain: newDomain(), ...values })
const chain = () => ({
  certificate: issued.leaf.cert + issued.intermediate.cert + issued.root.cert,
  key: issued.leaf.key,
})

const storedKeys = async () => {
  const rows = await server.app.db.all('test.pages-keys', {}, (db) =>
    db.selectFrom('pagesDomains').selectAll(),
  )
  return JSON.stringify(rows)
}

describe('POST /projects/:id/pages/domains', () => {
  it('creates a domain without a certificate', async () => {
    const { status, body } = await create({ domain: 'Straße.Example' })
    expect([status, body]).toEqual([
      201,
      {
        domain: 'xn--strae-oqa.example',
        url: 'http://xn--strae-oqa.example',
        verified: false,
        verification_code: expect.stringMatching(/^[0-9a-f]{32}$/),
        enabled_until: null,
      },
    ])
    expect((await call('GET', '/STRASSE.example')).status).toBe(404)
    expect((await call('GET', `/${encodeURIComponent('straße.EXAMPLE')}`)).body).toEqual(body)
    expect((await call('GET')).body).toEqual([body])
  })

  it('creates one with a chain of certificates, whose key nobody sees', async () => {
    const { certificate, key } = chain()
    const { status, body, text } = await create({ certificate, key })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      url: `https://${body.domain}`,
      certificate: {
        subject: '/O=Example/CN=leaf',
        expired: false,
        certificate: expect.stringContaining(issued.leaf.cert.trim()),
      },
    })
    expect(body.certificate.certificate.match(/BEGIN CERTIFICATE/g)).toHaveLength(3)
    const secret = key.split('\n')[2] ?? '-'
    expect(text).not.toContain(secret)
    expect(await storedKeys()).not.toContain(secret)
    expect(await storedKeys()).not.toContain('PRIVATE KEY')
  })

  it('shows a certificate as text', async () => {
    const { body } = await create({ certificate: issued.leaf.cert, key: issued.leaf.key })
    const { certificate_text: text } = body.certificate
    for (const line of [
      'Version: 3 (0x2)',
      'Signature Algorithm: sha256WithRSAEncryption',
      'Issuer: O=Example, CN=intermediate',
      'Not Before: ',
      'Not After : ',
      'Subject: O=Example, CN=leaf',
      'Public-Key: (2048 bit)',
      'X509v3 Basic Constraints:\n                CA:TRUE',
      'X509v3 Subject Alternative Name:\n                DNS:leaf.example',
    ]) {
      expect(text).toContain(line)
    }
  })

  it('takes files of a form', async () => {
    const form = new FormData()
    const domain = newDomain()
    const { certificate, key } = chain()
    form.set('domain', domain)
    form.set('certificate', new File([certificate], 'a.pem'))
    form.set('key', new File([key], 'a.key'))
    const url = `${await server.url()}/api/v4/projects/${project.id}/pages/domains`
    const headers = { 'private-token': maintainer.token }
    const response = await fetch(url, { method: 'POST', body: form, headers })
    expect([response.status, await response.json()]).toMatchObject([
      201,
      { domain, certificate: { subject: '/O=Example/CN=leaf' } },
    ])
  })

  it('takes keys of elliptic curves, and expired certificates', async () => {
    const { cert, key } = buildCertificate('a.example')
    const elliptic = await create({ certificate: cert, key })
    expect(elliptic.body.certificate.certificate_text).toContain('ASN1 OID: prime256v1')
    const { ed25519 } = issued
    expect((await create({ certificate: ed25519.cert, key: ed25519.key })).status).toBe(201)
    const far = 100 * 365 * 86_400_000
    server.advance(far)
    try {
      const { body } = await create({ certificate: cert, key })
      expect(body.certificate.expired).toBe(true)
    } finally {
      server.advance(-far)
    }
  })

  const name = 'is not a fully qualified domain name'
  it.each([
    ['localhost', name],
    ['10.0.0.1', name],
    ['1.2', name],
    ['::1', name],
    ['a_b.example', name],
    ['-a.example', name],
    ['a..example', name],
    ['*.example', name],
    ['a.example:80', name],
    ['user@a.example', name],
    ['a.example/x', name],
    ['http://a.example', name],
    ['a b.example', name],
    [`${'a'.repeat(64)}.example`, name],
    [`${'a.'.repeat(124)}example`, name],
    ['stithy.test', 'is reserved for this instance'],
    ['pages.STITHY.test', 'is reserved for this instance'],
  ])('answers 400 to the domain %s', async (domain, text) => {
    const { status, body } = await create({ domain })
    expect([status, body]).toEqual([400, { message: { domain: [text] } }])
  })

  it('answers 400 to a domain that any project has, also to calls at once', async () => {
    const domain = newDomain()
    const answers = await Promise.all([1, 2].map(() => create({ domain })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
    project = await server.buildProject()
    await server.addMember(`projects/${project.id}`, maintainer.id, 40)
    const { body } = await create({ domain: domain.toUpperCase() })
    expect(body).toEqual({ message: { domain: ['has already been taken'] } })
  })

  it.each<[string, () => Promise<object>, object]>([
    [
      'a certificate without a key',
      async () => ({ certificate: issued.leaf.cert }),
      { key: ["can't be blank with a certificate"] },
    ],
    [
      'a key without a certificate',
      async () => ({ key: issued.leaf.key, certificate: ' ' }),
      { certificate: ["can't be blank with a key"] },
    ],
    [
      'the key of another certificate',
      async () => ({ ...chain(), key: issued.root.key }),
      { key: ["doesn't match the certificate"] },
    ],
    [
      'the key of another type',
      async () => ({ ...chain(), key: issued.ed25519.key }),
      { key: ["doesn't match the certificate"] },
    ],
    [
      'an encrypted key',
      async () => ({ ...chain(), key: await encryptKey(issued.leaf.key) }),
      { key: ['must not be encrypted'] },
    ],
    [
      'a short key',
      async () => ({ certificate: issued.short.cert, key: issued.short.key }),
      { key: ['must have 2048 to 8192 bits'] },
    ],
    [
      'no key',
      async () => ({ ...chain(), key: 'nonsense' }),
      { key: ['must be a private key in PEM'] },
    ],
    [
      'no PEM',
      async () => ({ ...chain(), certificate: 'nonsense' }),
      { certificate: ['must be a certificate in PEM'] },
    ],
    [
      'damaged PEM',
      async () => ({
        ...chain(),
        certificate: `${issued.leaf.cert}${issued.root.cert.replace(/\w{20}/, 'A'.repeat(20))}`,
      }),
      { certificate: ["certificate 2 can't be read"] },
    ],
    [
      'certificates in the wrong order',
      async () => ({
        ...chain(),
        certificate: issued.leaf.cert + issued.root.cert + issued.intermediate.cert,
      }),
      {
        certificate: [
          'certificate 2 has not issued certificate 1: they must be in order, the most specific first',
        ],
      },
    ],
    [
      'an issuer of the same name with another key',
      async () => {
        const { intermediate } = await issueCertificates({ intermediate: {} })
        return { ...chain(), certificate: issued.leaf.cert + intermediate.cert }
      },
      {
        certificate: [
          'certificate 2 has not issued certificate 1: they must be in order, the most specific first',
        ],
      },
    ],
    [
      'too many certificates',
      async () => ({ ...chain(), certificate: issued.leaf.cert + issued.root.cert.repeat(30) }),
      { certificate: ['has too many certificates (maximum is 10)'] },
    ],
  ])('answers 400 to %s', async (_, sent, message) => {
    const { status, body } = await create(await sent())
    expect([status, body]).toEqual([400, { message }])
    expect((await call('GET')).body).toEqual([])
  })

  it('answers 400 to a text and to a file that are too long', async () => {
    const long = issued.leaf.cert.repeat(60)
    const { body } = await create({ ...chain(), certificate: long })
    expect(body).toEqual({ error: 'certificate is too long (maximum is 65536 characters)' })
    const form = new FormData()
    form.set('domain', newDomain())
    form.set('certificate', new File(['x'.repeat(1024 * 1024)], 'a.pem'))
    const url = `${await server.url()}/api/v4/projects/${project.id}/pages/domains`
    const headers = { 'private-token': maintainer.token }
    const response = await fetch(url, { method: 'POST', body: form, headers })
    const refusal = [response.status, await response.json()]
    expect(refusal).toEqual([400, { error: 'certificate is invalid' }])
  })

  it('answers 400 to more than 100 domains of a project', async () => {
    for (let index = 0; index < 100; index += 1) await create({})
    const { body } = await create({})
    expect(body).toEqual({ message: { base: ['Maximum number of domains (100) exceeded'] } })
    const { body: page, headers } = await call('GET', '?per_page=7&page=2')
    expect([page.length, headers['x-total']]).toEqual([7, '100'])
    const domains = page.map(({ domain }: Json) => domain)
    expect(domains).toEqual(domains.toSorted())
  })
})

describe('PUT /projects/:id/pages/domains/:domain', () => {
  it('sets, replaces and removes the certificate', async () => {
    const { domain } = (await create({})).body
    const set = await call('PUT', `/${domain}`, chain())
    expect([set.status, set.body.url]).toEqual([200, `https://${domain}`])
    const same = await call('PUT', `/${domain}`, { certificate: issued.leaf.cert })
    expect(same.body.certificate.certificate).toBe(issued.leaf.cert)
    const wrong = await call('PUT', `/${domain}`, { certificate: issued.root.cert })
    expect([wrong.status, wrong.body]).toEqual([
      400,
      { message: { key: ["doesn't match the certificate"] } },
    ])
    const half = await call('PUT', `/${domain}`, { key: '' })
    expect(half.status).toBe(400)
    const kept = await call('PUT', `/${domain}`, {})
    expect(kept.body).toEqual(same.body)
    const removed = await call('PUT', `/${domain}`, { certificate: '', key: '' })
    expect(removed.body).not.toHaveProperty('certificate')
    expect(removed.body.url).toBe(`http://${domain}`)
    expect((await call('GET', `/${domain}`)).body).toEqual(removed.body)
  })

  it('answers 404 to a domain of another project', async () => {
    const { domain } = (await create({})).body
    project = await server.buildProject()
    await server.addMember(`projects/${project.id}`, maintainer.id, 40)
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, body } = await call(method, `/${domain}`)
      expect([status, body]).toEqual([404, { message: '404 Pages Domain Not Found' }])
    }
  })
})

describe('DELETE /projects/:id/pages/domains/:domain', () => {
  it('deletes a domain, which is free then', async () => {
    const { domain } = (await create({})).body
    const headers = { 'if-unmodified-since': 'Tue, 01 Jan 2019 00:00:00 GMT' }
    const path = `/projects/${project.id}/pages/domains/${domain}`
    const early = await server.inject('DELETE', path, { token: maintainer.token, headers })
    expect(early.status).toBe(412)
    expect((await call('DELETE', `/${domain}`)).status).toBe(204)
    expect((await call('DELETE', `/${domain}`)).status).toBe(404)
    expect((await create({ domain })).status).toBe(201)
  })
})

describe('GET /pages/domains', () => {
  it('lists the domains of all projects for administrators', async () => {
    const { body: plain } = await create({ domain: '0.a.example' })
    const { body: secure } = await create({ domain: '0.b.example', ...chain() })
    const { token } = server.root
    const { status, body } = await server.inject('GET', '/pages/domains', { token })
    expect(status).toBe(200)
    expect(body.slice(0, 2)).toEqual([
      { ...plain, project_id: project.id },
      {
        ...secure,
        project_id: project.id,
        certificate: { expired: false, expiration: expect.stringMatching(/^\d{4}-.*\.000Z$/) },
      },
    ])
    const refused = await server.inject('GET', '/pages/domains', { token: maintainer.token })
    expect(refused.status).toBe(403)
  })
})

describe('callers of pages domains', () => {
  it('are refused below Maintainer, and in archived projects', async () => {
    const { domain } = (await create({})).body
    const developer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, developer.id, 30)
    const calls = [
      ['GET', ''],
      ['GET', `/${domain}`],
      ['POST', ''],
      ['PUT', `/${domain}`],
      ['DELETE', `/${domain}`],
    ] as const
    const body = (method: string) =>
      method === 'POST' ? { domain: newDomain() } : method === 'PUT' ? {} : undefined
    const statuses = async (who: { token: string }) => {
      const found: number[] = []
      for (const [method, end] of calls) {
        found.push((await call(method, end, body(method), who as TestUser)).status)
      }
      return found
    }
    expect(await statuses(developer)).toEqual([403, 403, 403, 403, 403])
    await server.inject('POST', `/projects/${project.id}/archive`, { token: server.root.token })
    expect(await statuses(maintainer)).toEqual([200, 200, 403, 403, 403])
  })

  it('are answered 404 while pages are switched off', async () => {
    const pages = { enabled: false, domain: undefined, dnsServers: [] }
    const other = await buildTestServer({ pages })
    try {
      const { id } = await other.buildProject()
      const { token } = other.root
      const path = `/projects/${id}/pages/domains`
      for (const [method, target] of [
        ['GET', '/pages/domains'],
        ['GET', path],
        ['GET', `${path}/a.example`],
        ['POST', path],
        ['DELETE', `${path}/a.example`],
      ] as const) {
        const sent = method === 'POST' ? { body: { domain: 'a.example' } } : {}
        const { status, body } = await other.inject(method, target, { token, ...sent })
        expect([status, body]).toEqual([404, { message: '404 Pages Not Found' }])
      }
    } finally {
      await other.close()
    }
  })

  it('may not claim the domain of pages', async () => {
    const pages = { enabled: true, domain: 'pages.example', dnsServers: [] }
    const other = await buildTestServer({ pages })
    try {
      const { id } = await other.buildProject()
      const body = { domain: 'group.pages.example' }
      const sent = { token: other.root.token, body }
      const answer = await other.inject('POST', `/projects/${id}/pages/domains`, sent)
      expect(answer.body).toEqual({ message: { domain: ['is reserved for this instance'] } })
    } finally {
      await other.close()
    }
  })
})
