import { setTimeout } from 'node:timers/promises'
import { insertPagesDomain, lockProject } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  buildPagesFixture,
  issueChain,
  newDomain,
  type PagesFixture,
} from '../../testing/fixtures/pages-domains.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

/**
 * Covered: the list of administrators; lists, single domains, creation, removal and their audit events;
 * host names; roles; archived projects; pages switched off. Certificates have a test of their own, and
 * verification one beside its job.
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
    const other = await buildPagesFixture(server)
    const { body } = await other.create({ domain: domain.toUpperCase() })
    expect(body).toEqual({ message: { domain: ['has already been taken'] } })
  })

  it('answers 400 to more than 100 domains of a project', async () => {
    for (let index = 0; index < 100; index += 1) await create()
    const { body } = await create()
    expect(body).toEqual({ message: { base: ['Maximum number of domains (100) exceeded'] } })
    const { body: page, headers } = await call('GET', '?per_page=7&page=2')
    expect([page.length, headers['x-total']]).toEqual([7, '100'])
    const domains = page.map(({ domain }: Json) => domain)
    expect(domains).toEqual(domains.toSorted())
  })
})

/** A domain that another request adds. */
const first = {
  ...{ domain: 'first.example', verificationCode: 'a', certificate: null, sealedKey: null },
  ...{ subject: null, certificateText: null, expiresAt: null },
}

describe('concurrent calls of POST /projects/:id/pages/domains', () => {
  it('create no more than 100 domains', async () => {
    for (let index = 0; index < 99; index += 1) await create({})
    const { db, now } = server.app
    const { project } = fixture
    const [added, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const adding = db.transaction(async (tx) => {
      await lockProject(tx, project.id)
      await insertPagesDomain(tx, { ...first, projectId: project.id, now: now() })
      added.resolve()
      await ending.promise
    })
    await added.promise
    const second = create({})
    // Longer than the call takes that doesn't wait for the lock.
    await Promise.race([second, setTimeout(1000)])
    ending.resolve()
    await adding
    expect((await second).status).toBe(400)
    expect((await call('GET', '?per_page=1')).headers['x-total']).toBe('100')
  })
})

describe('a domain of another project', () => {
  it('is answered 404', async () => {
    const { domain } = (await create()).body
    const other = await buildPagesFixture(server)
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? {} : undefined
      const answer = await other.call(method, `/${domain}`, body)
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Pages Domain Not Found' }])
    }
  })
})

describe('DELETE /projects/:id/pages/domains/:domain', () => {
  it('deletes a domain, which is free then', async () => {
    const { domain } = (await create()).body
    const headers = { 'if-unmodified-since': 'Tue, 01 Jan 2019 00:00:00 GMT' }
    const path = `/projects/${fixture.project.id}/pages/domains/${domain}`
    const early = await server.inject('DELETE', path, { token: fixture.maintainer.token, headers })
    expect(early.status).toBe(412)
    expect((await call('DELETE', `/${domain}`)).status).toBe(204)
    expect((await call('DELETE', `/${domain}`)).status).toBe(404)
    expect((await create({ domain })).status).toBe(201)
  })
})

describe('GET /pages/domains', () => {
  it('lists the domains of all projects for administrators', async () => {
    const { body: plain } = await create({ domain: '0.a.example' })
    const { body: secure } = await create({ domain: '0.b.example', ...issued.chain })
    const { token } = server.root
    const { status, body } = await server.inject('GET', '/pages/domains', { token })
    expect(status).toBe(200)
    expect(body.slice(0, 2)).toEqual([
      { ...plain, project_id: fixture.project.id },
      {
        ...secure,
        project_id: fixture.project.id,
        certificate: { expired: false, expiration: expect.stringMatching(/^\d{4}-.*\.000Z$/) },
      },
    ])
    const refused = await server.inject('GET', '/pages/domains', fixture.maintainer)
    expect(refused.status).toBe(403)
  })
})

describe('callers of pages domains', () => {
  it('are refused below Maintainer, and in archived projects', async () => {
    const { domain } = (await create()).body
    const developer = await server.buildUser()
    await server.addMember(`projects/${fixture.project.id}`, developer.id, 30)
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
        found.push((await call(method, end, body(method), who)).status)
      }
      return found
    }
    expect(await statuses(developer)).toEqual([403, 403, 403, 403, 403])
    await server.inject('POST', `/projects/${fixture.project.id}/archive`, server.root)
    expect(await statuses(fixture.maintainer)).toEqual([200, 200, 403, 403, 403])
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

describe('audit events of pages domains', () => {
  it('tell of a new domain, another certificate or key, and a removal', async () => {
    const { id } = fixture.project
    const acts = async (): Promise<Json[]> => {
      const answer = await server.inject('GET', `/projects/${id}/audit_events`, server.root)
      return answer.body.filter(({ details }: Json) => details.target_type === 'PagesDomain')
    }
    const { domain } = (await create()).body
    await call('PUT', `/${domain}`, issued.chain)
    // These change nothing.
    await call('PUT', `/${domain}`, issued.chain)
    await call('PUT', `/${domain}`, {})
    await create({ domain })
    await call('DELETE', `/${domain}`)
    await call('DELETE', `/${domain}`)
    const found = await acts()
    const { maintainer, project } = fixture
    const target = { target_id: expect.any(Number), target_details: domain }
    expect(found[0]).toMatchObject({
      author_id: maintainer.id,
      entity_type: 'Project',
      entity_id: project.id,
      details: { remove: 'pages_domain', ...target, author_name: maintainer.name },
    })
    const kinds = found.map(({ details: { add, change, remove } }) => [add, change, remove])
    const kind = 'pages_domain'
    expect(kinds).toEqual([
      [undefined, undefined, kind],
      [undefined, kind, undefined],
      [kind, undefined, undefined],
    ])
  })
})
