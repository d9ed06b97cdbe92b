import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServerProcess } from '../src/testing/clients/server-process.ts'
import { buildWorkTree, git, remoteUrl } from '../src/testing/git/git-client.ts'

const token = 'log-test-token-0123456789'
const password = 'log test password'

let server: ServerProcess
let tree: string

/** Starts a server for the tests of a group, and ends it after them. */
function startBefore(level: string): void {
  let data: string
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'stithy-log-'))
    tree = await buildWorkTree()
    const env = {
      STITHY_ROOT_TOKEN: token,
      STITHY_ROOT_PASSWORD: password,
      STITHY_LOG_LEVEL: level,
    }
    server = await startServerProcess({ data, env })
  })
  afterAll(async () => {
    await server.end('SIGKILL')
    for (const folder of [data, tree]) await rm(folder, { recursive: true, force: true })
  })
}

describe('the log at level trace', () => {
  startBefore('trace')

  it('contains no token and no password, wherever they were sent and whatever the outcome', async () => {
    const api = `${server.address}/api/v4`
    const calls: [string, RequestInit][] = [
      [`${api}/user?private_token=${token}`, {}],
      [`${api}/user?access_token=${token}&page=x`, {}],
      [`${api}/no_such_thing?private_token=${token}`, {}],
      [`${api}/user?private_token=${token}x`, {}],
      [`${api}/user`, { headers: { authorization: `Bearer ${token}` } }],
      [`${api}/projects`, { method: 'POST', headers: { 'private-token': token }, body: '{' }],
      [`${server.address}/users/sign_in?private_token=${token}`, {}],
      [`${server.address}/users/sign_in`, signIn(password)],
      [`${server.address}/users/sign_in`, signIn(`${password}x`)],
    ]
    for (const [url, options] of calls) await (await fetch(url, options)).arrayBuffer()
    for (const secret of [token, password, `${token}x`]) {
      await git(tree, 'push', remoteUrl(server.address, 'root/nothing', 'root', secret), 'main')
    }
    expect(server.output()).toContain('Server listening')
    for (const secret of [token, password, encodeURIComponent(password), btoa(`root:${token}`)]) {
      expect(server.output()).not.toContain(secret)
    }
  })
})

describe('the log at level info', () => {
  startBefore('info')

  const lines = () =>
    server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
  const requests = () => lines().filter(({ msg }) => msg === 'request')

  it('has a line for each request, with its id, route, status, duration and user', async () => {
    const api = `${server.address}/api/v4`
    const headers = { 'private-token': token }
    const answers = [
      await fetch(`${api}/projects/999?private_token=${token}`, { headers }),
      await fetch(`${api}/projects`, { method: 'POST', headers, body: form({ name: 'logged' }) }),
      await fetch(`${api}/projects`),
      await fetch(`${api}/no_such_thing/${token}`),
    ]
    const ids = answers.map((answer) => answer.headers.get('x-request-id'))
    await expect
      .poll(() => requests().filter(({ request_id: id }) => ids.includes(id)))
      .toHaveLength(4)
    const project = '/api/v4/projects'
    const logged = ids.map((id) => requests().find((line) => line.request_id === id))
    expect(logged).toMatchObject([
      { level: 30, method: 'GET', route: `${project}/:id`, status: 404, user_id: 1 },
      { level: 30, method: 'POST', route: project, status: 201, user_id: 1 },
      { level: 30, method: 'GET', route: project, status: 200, user_id: null },
      { level: 30, method: 'GET', route: null, status: 404, user_id: null },
    ])
    for (const line of logged) expect(line.duration_ms).toBeGreaterThan(0)
    await git(tree, 'push', remoteUrl(server.address, 'root/logged', 'root', token), 'main')
    await expect
      .poll(() => requests())
      .toContainEqual(
        expect.objectContaining({ method: 'POST', route: '/*', status: 200, user_id: 1 }),
      )
    await fetch(`${server.address}/-/readiness`)
    await (await fetch(`${api}/version`, { headers })).arrayBuffer()
    await expect.poll(() => requests().map(({ route }) => route)).toContain('/api/v4/version')
    expect(requests().map(({ route }) => route)).not.toContain('/-/readiness')
  })

  it('contains nothing of a hook whose delivery fails', async () => {
    const headers = { 'private-token': token }
    const api = `${server.address}/api/v4`
    const secret = 'log-test-hook-secret'
    const url = `http://user:${secret}@127.0.0.1:9/?token=${secret}`
    await fetch(`${api}/projects/root%2Flogged/hooks`, {
      method: 'POST',
      headers,
      body: form({ url, token: secret, issues_events: 'true' }),
    })
    const answer = await fetch(`${api}/projects/root%2Flogged/issues`, {
      method: 'POST',
      headers,
      body: form({ title: secret, description: secret }),
    })
    expect(answer.status).toBe(201)
    const id = answer.headers.get('x-request-id')
    await expect.poll(() => requests().map((line) => line.request_id)).toContain(id)
    expect(server.output()).not.toContain(secret)
  })

  it('contains none of the secrets in bodies', async () => {
    const secret = 'log-test-secret-0123456789'
    const api = `${server.address}/api/v4`
    const bodies: [string, string, Record<string, string>][] = [
      ['POST', '/users', { name: 'a', username: 'a', email: 'a@b.test', password: secret }],
      ['POST', '/users', { name: 'a', username: 'a', email: 'a@b.test', password: secret }],
      ['PUT', '/users/1', { password: secret.slice(0, 3), bio: secret }],
      ['POST', '/projects', { name: 'x', import_url: `http://u:${secret}@127.0.0.1:9/x.git` }],
      ['POST', '/user/keys', { title: 'x', key: secret }],
      ['POST', '/applications', { name: 'x', redirect_uri: `https://a.test/?code=${secret}` }],
      ['POST', '/projects/root%2Flogged/deploy_tokens', { name: secret }],
      ['DELETE', '/user/two_factor', { password: secret }],
      ['GET', `/user?private_token=${secret}`, {}],
      ['POST', '/projects', { private_token: secret, name: 'y' }],
    ]
    for (const [method, path, body] of bodies) {
      const sent = method === 'GET' ? {} : { body: form(body) }
      const headers = { 'private-token': token, authorization: `Bearer ${secret}` }
      await (await fetch(api + path, { method, headers, ...sent })).arrayBuffer()
    }
    await fetch(`${server.address}/oauth/token`, {
      method: 'POST',
      body: form({ grant_type: 'password', username: 'root', password: secret }),
    })
    await expect.poll(() => requests().map(({ route }) => route)).toContain('/oauth/token')
    for (const each of [secret, encodeURIComponent(secret), btoa(secret), token]) {
      expect(server.output()).not.toContain(each)
    }
  })
})

function form(values: Record<string, string>): URLSearchParams {
  return new URLSearchParams(values)
}

function signIn(secret: string): RequestInit {
  const body = new URLSearchParams({ 'user[login]': 'root', 'user[password]': secret })
  return { method: 'POST', body }
}
