import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../testing/test-server.ts'

describe('the HTTP layer', () => {
  let server: TestServer
  let token: string

  beforeAll(async () => {
    server = await buildTestServer()
    token = server.root.token
  })
  afterAll(() => server.close())

  it('returns 404 for an unknown route and {"error": "404 Not Found"}', async () => {
    const answer = await server.inject('GET', '/no_such_thing', { token })
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({ error: '404 Not Found' })
  })

  it('returns 405 for another method on a known path', async () => {
    const answer = await server.inject('PUT', '/version', { token, body: {} })
    expect(answer.status).toBe(405)
    expect(answer.body).toEqual({ error: '405 Not Allowed' })
    expect(answer.headers.allow).toBe('GET, HEAD')
  })

  it.each(['/snippets/public', '/projects/1/members/all', '/groups/1/members/all'])(
    'returns 405 for a method that only the numbers in the place of %s have',
    async (path) => {
      const headers = { 'content-type': 'application/json' }
      for (const method of ['PUT', 'DELETE', 'PATCH']) {
        const answer = await server.inject(method, path, { token, headers, form: '{"not": "read"' })
        expect([answer.status, answer.body]).toEqual([405, { error: '405 Not Allowed' }])
        expect(answer.headers.allow).toBe('GET, HEAD')
      }
    },
  )

  it('names all methods of a path whose number is a word', async () => {
    const { headers } = await server.inject('PATCH', '/snippets/some', { token })
    expect(headers.allow).toBe('DELETE, GET, HEAD, PUT')
  })

  it('returns 410 for v3', async () => {
    expect((await server.inject('GET', '//api/v3/projects')).status).toBe(410)
  })

  it('sends exactly application/json', async () => {
    const answer = await server.inject('GET', '/version', { token })
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.body).toEqual({ version: expect.any(String), revision: expect.any(String) })
  })

  it('sends the common headers', async () => {
    const { headers } = await server.inject('GET', '/version', { token })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers['x-runtime']).toMatch(/^\d+\.\d+$/)
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers.vary).toContain('Origin')
  })

  it.each(['/version/', '//api/v4//version', '//api//v4/version//'])(
    'ignores repeated and trailing slashes: %s',
    async (path) => {
      expect((await server.inject('GET', path, { token })).status).toBe(200)
    },
  )

  it('responds to HEAD wherever GET works, without a body', async () => {
    const whole = await server.inject('GET', '/version', { token })
    const answer = await server.inject('HEAD', '/version', { token })
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('')
    for (const name of ['content-length', 'content-type', 'etag']) {
      expect(answer.headers[name], name).toBe(whole.headers[name])
    }
  })

  it('returns 304 to the ETag that it sent', async () => {
    const first = await server.inject('GET', '/version', { token })
    const etag = String(first.headers.etag)
    const headers = { 'if-none-match': etag }
    const second = await server.inject('GET', '/version', { token, headers })
    expect(second.status).toBe(304)
    expect(second.text).toBe('')
    const other = await server.inject('GET', '/version', {
      token,
      headers: { 'if-none-match': 'W/"other"' },
    })
    expect(other.status).toBe(200)
  })

  it('accepts an empty JSON body on GET and DELETE', async () => {
    const headers = { 'content-type': 'application/json' }
    expect((await server.inject('GET', '/version', { token, headers })).status).toBe(200)
    expect((await server.inject('DELETE', '/projects/999999', { token, headers })).status).toBe(404)
  })

  describe.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s of the address of a page', (method) => {
    it.each([
      ['/', 'GET, HEAD'],
      ['/explore', 'GET, HEAD'],
      ['/a/b/-/issues', 'GET, HEAD, POST'],
      ['/a/b/-/blob/main/README.md', 'GET, HEAD'],
      ['/a/b/issues/1?x=1', 'GET, HEAD, POST'],
      ['/a/b/-/commit/1234/revert', 'POST'],
      ['/groups/a/-/milestones', 'GET, HEAD, POST'],
      ['/users/sign_in', 'GET, HEAD, POST'],
      ['/oauth/token', 'POST'],
      [`/a/b/uploads/${'0'.repeat(32)}/a.png`, 'GET, HEAD'],
    ])('%s returns 405', async (path, allow) => {
      const bytes = Buffer.from('{"not": "read"')
      const answer = await server.inject(method, `/${path}`, { bytes })
      expect([answer.status, answer.body]).toEqual([405, { error: '405 Not Allowed' }])
      expect(answer.headers.allow).toBe(allow)
    })

    it('returns 404 for a path that may be a project', async () => {
      expect((await server.inject(method, '//no/such')).status).toBe(404)
    })
  })

  it('POST of a page without forms returns 405', async () => {
    const answer = await server.inject('POST', '//a/b/-/blob/main/README.md', { form: 'a=1' })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  describe.each([
    ['application/json', ''],
    ['application/json; charset=utf-8', ''],
    ['Application/JSON', ' '],
    ['application/merge-patch+json', ''],
    ['application/json', '{"not": "read"'],
  ])('a request with Content-Type: %s and the body "%s"', (type, text) => {
    const headers = { 'content-type': type }
    const send = (method: string, path: string) =>
      server.inject(method, path, { token, headers, bytes: Buffer.from(text) })

    it.each(['PUT', 'PATCH', 'DELETE', 'POST'])(
      '%s returns 404 for an unknown route',
      async (method) => {
        for (const path of ['/no_such_thing', '//no/such/thing']) {
          const { status, body } = await send(method, path)
          expect([path, status, body]).toEqual([path, 404, { error: '404 Not Found' }])
        }
      },
    )

    it('returns 405 for another method on a known path', async () => {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        expect((await send(method, '/version')).status).toBe(405)
      }
    })
  })

  it('treats an empty JSON body as no parameters', async () => {
    const headers = { 'content-type': 'application/json' }
    const { id } = await server.buildProject()
    const send = (method: string, path: string) => server.inject(method, path, { token, headers })
    expect((await send('PUT', `/projects/${id}/repository/branches/none/protect`)).status).toBe(404)
    expect((await send('DELETE', `/projects/${id}/issues/1`)).status).toBe(404)
    expect((await send('POST', `/projects/${id}/archive`)).status).toBe(201)
    const signIn = await send('POST', '//users/sign_in')
    expect([400, 415]).not.toContain(signIn.status)
  })

  it('returns 404 to a PUT of an unknown route over a connection, which stays open', async () => {
    const base = await server.url()
    const headers = { 'content-type': 'application/json' }
    for (const path of ['/api/v4/no_such_thing', '/no_such_thing']) {
      for (const body of [null, 'x'.repeat(100_000)]) {
        const answer = await fetch(base + path, { method: 'PUT', headers, body })
        expect([answer.status, await answer.json()]).toEqual([404, { error: '404 Not Found' }])
      }
    }
  })

  describe('pagination', () => {
    it('defaults to 20 per page, caps at 100, and sends its headers', async () => {
      const first = await server.inject('GET', '/projects', { token })
      expect(first.headers['x-per-page']).toBe('20')
      expect(first.headers['x-page']).toBe('1')
      expect(first.headers['x-total-pages']).toMatch(/^[1-9]\d*$/)
      const large = await server.inject('GET', '/projects', { token, query: 'per_page=500' })
      expect(large.headers['x-per-page']).toBe('100')
    })

    it('links the other pages, keeping the query without the token', async () => {
      await server.buildProject()
      await server.buildProject()
      await server.buildProject()
      const query = `per_page=1&page=2&order_by=id&private_token=${token}`
      const { headers } = await server.inject('GET', '/projects', { query })
      expect(headers['x-next-page']).toBe('3')
      expect(headers['x-prev-page']).toBe('1')
      expect(headers.link).toContain(
        '<http://stithy.test/api/v4/projects?order_by=id&page=3&per_page=1>; rel="next"',
      )
      for (const rel of ['prev', 'first', 'last']) expect(headers.link).toContain(`rel="${rel}"`)
      expect(headers.link).not.toContain(token)
    })

    it('links the next page by id with pagination=keyset, and no page numbers', async () => {
      for (const _ of [1, 2, 3]) await server.buildProject()
      const ids: number[] = []
      let query: string | undefined = 'pagination=keyset&order_by=id&sort=asc&per_page=1'
      while (query !== undefined) {
        const answer = await server.inject('GET', '/projects', { token, query })
        expect(answer.headers['x-page']).toBeUndefined()
        ids.push(...answer.body.map(({ id }: { id: number }) => id))
        query = /^<[^?]+\?([^>]+)>; rel="next"$/.exec(answer.headers.link ?? '')?.[1]
      }
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
      const all = await server.inject('GET', '/projects', { token })
      expect(ids.length).toBe(Number(all.headers['x-total']))
    })

    it('returns 400 for pagination=keyset when a list does not support it', async () => {
      const query = 'pagination=keyset'
      const answer = await server.inject('GET', '/namespaces', { token, query })
      expect(answer.status).toBe(400)
      expect(answer.body.error).toMatch(/keyset/)
    })

    it('returns an empty page past the end', async () => {
      const answer = await server.inject('GET', '/projects', { token, query: 'page=1000000000000' })
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual([])
      expect(answer.headers['x-next-page']).toBe('')
    })

    it.each([
      ['page=0', 'page does not have a valid value'],
      ['per_page=0', 'per_page does not have a valid value'],
      ['page=-1', 'page does not have a valid value'],
      ['per_page=x', 'per_page is invalid'],
      ['page=1.5', 'page is invalid'],
      ['page[]=1', 'page is invalid'],
      ['page=9999999999999999', 'page is invalid'],
    ])('answers 400 for %s', async (query, error) => {
      const answer = await server.inject('GET', '/projects', { token, query })
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({ error })
    })
  })
})
