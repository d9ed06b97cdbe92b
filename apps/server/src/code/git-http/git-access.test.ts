import { randomBytes } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pushedProject } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let base: string

// Packed before there is a server, whose event loop this would block.
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))

beforeAll(async () => {
  server = await buildTestServer()
  base = await server.url()
})
afterAll(() => server.close())

const pushed = (overrides: object = {}) => pushedProject(server, overrides)

describe('GET /<path>.git/info/refs', () => {
  let project: Json
  const refs = (path: string, service = 'git-upload-pack') =>
    `//${path}.git/info/refs?service=${service}`
  const basic = (user: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`,
  })

  beforeAll(async () => {
    ;({ project } = await pushed())
  })

  async function status(path: string, headers: Record<string, string> = {}): Promise<number> {
    return (await server.inject('GET', path, { headers })).status
  }

  it('asks for credentials, whether or not such a project exists', async () => {
    for (const path of [project.path_with_namespace, 'no/such']) {
      const answer = await server.inject('GET', refs(path))
      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/)
      expect(answer.headers['content-type']).toMatch(/^text\/plain/)
    }
  })

  it('returns 401 for wrong credentials, also on a public project', async () => {
    const { project: open } = await pushed({ visibility: 'public' })
    for (const { path_with_namespace: path } of [project, open]) {
      expect(await status(refs(path), basic('root', 'wrong'))).toBe(401)
      expect(await status(refs(path), { authorization: 'Basic !!!' })).toBe(401)
      expect(await status(refs(path), { authorization: 'Bearer x' })).toBe(401)
    }
  })

  it('returns 404 for a project that is hidden from the user', async () => {
    const stranger = await server.buildUser()
    expect(await status(refs(project.path_with_namespace), basic('x', stranger.token))).toBe(404)
    expect(await status(refs('no/such'), basic('x', stranger.token))).toBe(404)
  })

  it('requires Reporter to fetch and Developer to push', async () => {
    const expected = { 10: [403, 403], 20: [200, 403], 30: [200, 200] }
    for (const [level, statuses] of Object.entries(expected)) {
      const user = await server.buildUser()
      await server.addMember(`projects/${project.id}`, user.id, Number(level))
      const headers = basic(user.username, user.token)
      const path = project.path_with_namespace
      expect([
        await status(refs(path), headers),
        await status(refs(path, 'git-receive-pack'), headers),
      ]).toEqual(statuses)
    }
  })

  it('requires the scopes of the token', async () => {
    const expected: Record<string, number[]> = {
      api: [200, 200],
      write_repository: [200, 200],
      read_repository: [200, 403],
    }
    for (const [scope, statuses] of Object.entries(expected)) {
      const headers = basic('root', await server.buildToken(server.root.id, [scope]))
      const path = project.path_with_namespace
      expect([
        await status(refs(path), headers),
        await status(refs(path, 'git-receive-pack'), headers),
      ]).toEqual(statuses)
    }
    const useless = await server.buildToken(server.root.id, ['read_user', 'sudo'])
    expect([401, 403]).toContain(
      await status(refs(project.path_with_namespace), basic('root', useless)),
    )
  })

  it('accepts the password of the account, by username and by e-mail address', async () => {
    const user = await server.buildUser()
    await server.addMember(`projects/${project.id}`, user.id, 30)
    for (const login of [user.username, user.email]) {
      const headers = basic(login, user.password)
      expect(await status(refs(project.path_with_namespace), headers)).toBe(200)
    }
  })

  it('returns 429 after ten wrong passwords', async () => {
    const user = await server.buildUser()
    const headers = basic(user.username, 'wrong')
    const statuses: number[] = []
    for (let i = 0; i < 10; i += 1) statuses.push(await status(refs('a/b'), headers))
    expect(statuses).toEqual(Array(10).fill(401))
    for (const name of [user.username, user.email]) {
      const refused = await server.inject('GET', refs('a/b'), {
        headers: basic(name, user.password),
      })
      expect(refused.status).toBe(429)
      expect(refused.headers).toMatchObject({
        'ratelimit-limit': '10',
        'ratelimit-remaining': '0',
        'ratelimit-reset': refused.headers['retry-after'],
      })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    }
  })

  it('refuses pushes to an archived project', async () => {
    const { project: old } = await pushed()
    await server.app.db.run('test.archive', { id: old.id }, (db, $) =>
      db.updateTable('projects').set({ archived: 1 }).where('id', '=', $('id')),
    )
    const headers = basic('root', server.root.token)
    const path = refs(old.path_with_namespace, 'git-receive-pack')
    const answer = await server.inject('GET', path, { headers })
    expect(answer.status).toBe(403)
    expect(answer.text).toMatch(/archived/)
    expect(await status(refs(old.path_with_namespace), headers)).toBe(200)
  })

  it('refuses everyone when the repository is disabled, and non-members when it is restricted to members', async () => {
    const { project: open } = await pushed({ visibility: 'public' })
    const set = (level: string) =>
      server.inject('PUT', `/projects/${open.id}`, {
        token: server.root.token,
        body: { repository_access_level: level },
      })
    const stranger = await server.buildUser()
    const path = refs(open.path_with_namespace)
    await set('private')
    expect(await status(path)).toBe(401)
    expect(await status(path, basic('x', stranger.token))).toBe(403)
    expect(await status(path, basic('root', server.root.token))).toBe(200)
    await set('disabled')
    expect(await status(path, basic('root', server.root.token))).toBe(403)
    expect(await status(path)).toBe(401)
  })

  it('shows internal projects to users, and not to external ones', async () => {
    const { project: internal } = await pushed({ visibility: 'internal' })
    const path = refs(internal.path_with_namespace)
    const user = await server.buildUser()
    const external = await server.buildUser({ external: true })
    expect(await status(path)).toBe(401)
    expect(await status(path, basic('x', user.token))).toBe(200)
    expect(await status(path, basic('x', external.token))).toBe(404)
  })

  it('refuses blocked users', async () => {
    const user = await server.buildUser()
    await server.app.db.run('test.block', { id: user.id }, (db, $) =>
      db.updateTable('users').set({ state: 'blocked' }).where('id', '=', $('id')),
    )
    const path = refs(project.path_with_namespace)
    expect(await status(path, basic(user.username, user.token))).toBe(403)
  })

  it('forbids caching, HEAD and the dumb protocol', async () => {
    const headers = basic('root', server.root.token)
    const path = refs(project.path_with_namespace)
    const answer = await server.inject('GET', path, { headers })
    expect(answer.headers['cache-control']).toMatch(/no-cache/)
    expect(answer.headers['content-type']).toBe('application/x-git-upload-pack-advertisement')
    expect((await server.inject('HEAD', path, { headers })).status).toBe(403)
    const dumb = `//${project.path_with_namespace}.git/info/refs`
    expect(await status(dumb, headers)).toBe(403)
    expect(await status(`//${project.path_with_namespace}.git/HEAD`, headers)).toBe(404)
  })
})

describe('POST /<path>.git', () => {
  let project: Json
  beforeAll(async () => {
    ;({ project } = await pushed())
  })

  function call(
    action: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ) {
    return fetch(`${base}/${project.path_with_namespace}.git/${action}`, {
      method: 'POST',
      body,
      headers: { authorization: `Basic ${btoa(`root:${server.root.token}`)}`, ...headers },
    })
  }

  const listRefs = '0014command=ls-refs\n0001001bref-prefix refs/heads/\n0000'
  const version2 = { 'git-protocol': 'version=2' }

  it('accepts compressed requests', async () => {
    const headers = { ...version2, 'content-encoding': 'gzip' }
    const packed = await call('git-upload-pack', gzipSync(listRefs), headers)
    expect(packed.status).toBe(200)
    expect(packed.headers.get('cache-control')).toMatch(/no-cache/)
    const plain = await call('git-upload-pack', listRefs, version2)
    expect(await packed.text()).toBe(await plain.text())
  })

  it('aborts when a small body decompresses to a huge one', async () => {
    const headers = { ...version2, 'content-encoding': 'gzip' }
    const answer = await call('git-upload-pack', bomb, headers).catch(() => undefined)
    expect(await answer?.text().catch(() => '')).not.toMatch(/refs\/heads/)
    expect((await call('git-receive-pack', bomb, { 'content-encoding': 'gzip' })).status).toBe(400)
  })

  it('refuses malformed requests with a message', async () => {
    expect((await call('git-receive-pack', 'nonsense')).status).toBe(400)
    expect((await call('git-receive-pack', '0099abc')).status).toBe(400)
    expect((await call('git-receive-pack', 'x', { 'content-encoding': 'br' })).status).toBe(415)
    expect((await call('git-receive-pack', 'x', { 'content-encoding': 'gzip' })).status).toBe(400)
    expect((await call('git-receive-pack', '0000')).status).toBe(200)
    expect((await call('git-upload-archive', '0000')).status).toBe(404)
  })

  const command = `${'0'.repeat(40)} ${'a'.repeat(40)} refs/heads/x\0 report-status side-band-64k`
  const packet = (line: string) => `${(line.length + 4).toString(16).padStart(4, '0')}${line}`
  const noise = randomBytes(500_000)
  // A pack of one blob, a megabyte of which half is sent.
  const blob = Buffer.from([0, 0, 0, 2, 0, 0, 0, 1, 0xb0, 0x80, 0x80, 0x02])
  const push = [`${packet(command)}0000PACK`, blob, deflateSync(noise)]
  const prefixes = Array.from({ length: 9000 }, (_, i) =>
    packet(`ref-prefix ${noise.toString('hex', i * 20, i * 20 + 20)}\n`),
  )
  const fetching = [`${packet('command=ls-refs\n')}0001`, ...prefixes]

  it.each([
    ['a fetch', 'git-upload-pack', fetching],
    ['a push', 'git-receive-pack', push],
  ])(
    'returns 400 to %s with a compressed body that is corrupt anywhere',
    async (_what, action, parts) => {
      const packed = gzipSync(Buffer.concat(parts.map((part) => Buffer.from(part))))
      const damaged = [
        Buffer.from('garbage'),
        Buffer.concat([packed.subarray(0, 10), Buffer.alloc(1_000_000, 255)]),
        packed.subarray(0, 15),
        packed.subarray(0, 60_000),
        packed.subarray(0, -1),
      ]
      for (const body of damaged) {
        const answer = await call(action, body, { ...version2, 'content-encoding': 'gzip' })
        expect(answer.status).toBe(400)
        expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
        expect(await answer.text()).toMatch(/^The request is corrupt: .*\.\n$/)
      }
      expect((await call('git-upload-pack', listRefs, version2)).status).toBe(200)
    },
  )

  it.each([
    ['garbage', version2],
    ['0009hello', version2],
    ['garbage', {}],
    ['', {}],
    ['0032want nonsense', {}],
    ['{"a":1}', {}],
  ])('answers 400 to the invalid fetch request %j', async (body, headers) => {
    const answer = await call('git-upload-pack', body, headers)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(await answer.text()).toBe(
      'This is not a valid fetch: git could not parse the request.\n',
    )
  })

  it('returns nothing for an empty fetch request', async () => {
    const answer = await call('git-upload-pack', '0000')
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })
})
