import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildCertificate, buildDsaKey } from '../../testing/certificate.ts'
import { encryptKey, issueCertificates } from '../../testing/certificate-chain.ts'
import {
  buildPagesFixture,
  issueChain,
  newDomain,
  type PagesFixture,
} from '../../testing/fixtures/pages-domains.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/**
 * Covered: domains with a certificate, sent as text or file; chains and their order; keys of each type,
 * and those that are refused; that keys are stored encrypted and never shown.
 */

let server: TestServer
let fixture: PagesFixture
let issued: Awaited<ReturnType<typeof issueChain>>

beforeAll(async () => {
  server = await buildTestServer()
  issued = await issueChain()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildPagesFixture(server)
})

const call: PagesFixture['call'] = (...args) => fixture.call(...args)
const create: PagesFixture['create'] = (...args) => fixture.create(...args)

const storedKeys = async () => {
  const rows = await server.app.db.all('test.pages-keys', {}, (db) =>
    db.selectFrom('pagesDomains').selectAll(),
  )
  return JSON.stringify(rows)
}

describe('POST /projects/:id/pages/domains with a certificate', () => {
  it('creates one with a chain of certificates, whose key nobody sees', async () => {
    const { certificate, key } = issued.chain
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
    const domain = newDomain()
    const { certificate, key } = issued.chain
    const response = await fixture.createByForm({
      domain,
      certificate: new File([certificate], 'a.pem'),
      key: new File([key], 'a.key'),
    })
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
      async () => ({ ...issued.chain, key: issued.root.key }),
      { key: ["doesn't match the certificate"] },
    ],
    [
      'the key of another type',
      async () => ({ ...issued.chain, key: issued.ed25519.key }),
      { key: ["doesn't match the certificate"] },
    ],
    [
      'an encrypted key',
      async () => ({ ...issued.chain, key: await encryptKey(issued.leaf.key) }),
      { key: ['must not be encrypted'] },
    ],
    [
      'a short key',
      async () => ({ certificate: issued.short.cert, key: issued.short.key }),
      { key: ['must have 2048 to 8192 bits'] },
    ],
    [
      'no key',
      async () => ({ ...issued.chain, key: 'nonsense' }),
      { key: ['must be an RSA, ECDSA or Ed25519 key in PEM'] },
    ],
    [
      'a DSA key, whose public key would take seconds to compute',
      async () => ({ ...issued.chain, key: buildDsaKey(12_000) }),
      { key: ['must be an RSA, ECDSA or Ed25519 key in PEM'] },
    ],
    [
      'a DSA key that is called another one',
      async () => ({
        ...issued.chain,
        key: buildDsaKey(12_000).replaceAll('PRIVATE', 'EC PRIVATE'),
      }),
      { key: ['must be an RSA, ECDSA or Ed25519 key in PEM'] },
    ],
    [
      'a key with a long exponent',
      async () => ({ certificate: issued.exponent.cert, key: issued.exponent.key }),
      { certificate: ['certificate 1 must have a key with an exponent of at most 64 bits'] },
    ],
    [
      'no PEM',
      async () => ({ ...issued.chain, certificate: 'nonsense' }),
      { certificate: ['must be a certificate in PEM'] },
    ],
    [
      'damaged PEM',
      async () => ({
        ...issued.chain,
        certificate: `${issued.leaf.cert}${issued.root.cert.replace(/\w{20}/, 'A'.repeat(20))}`,
      }),
      { certificate: ["certificate 2 can't be read"] },
    ],
    [
      'certificates in the wrong order',
      async () => ({
        ...issued.chain,
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
        return { ...issued.chain, certificate: issued.leaf.cert + intermediate.cert }
      },
      {
        certificate: [
          'certificate 2 has not issued certificate 1: they must be in order, the most specific first',
        ],
      },
    ],
    [
      'too many certificates',
      async () => ({
        ...issued.chain,
        certificate: issued.leaf.cert + issued.root.cert.repeat(30),
      }),
      { certificate: ['has too many certificates (maximum is 10)'] },
    ],
  ])('answers 400 to %s', async (_, sent, message) => {
    const { status, body } = await create(await sent())
    expect([status, body]).toEqual([400, { message }])
    expect((await call('GET')).body).toEqual([])
  })

  it('answers 400 to a text and to a file that are too long', async () => {
    const long = issued.leaf.cert.repeat(60)
    const { body } = await create({ ...issued.chain, certificate: long })
    expect(body).toEqual({ error: 'certificate is too long (maximum is 65536 characters)' })
    const certificate = new File(['x'.repeat(1024 * 1024)], 'a.pem')
    const response = await fixture.createByForm({ domain: newDomain(), certificate })
    const refusal = [response.status, await response.json()]
    expect(refusal).toEqual([400, { error: 'certificate is invalid' }])
  })
})

describe('PUT /projects/:id/pages/domains/:domain', () => {
  it('sets, replaces and removes the certificate', async () => {
    const { domain } = (await create()).body
    const set = await call('PUT', `/${domain}`, issued.chain)
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
})
