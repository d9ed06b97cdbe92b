import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServerProcess } from '../src/testing/clients/server-process.ts'
import { buildWorkTree, git, remoteUrl } from '../src/testing/git/git-client.ts'

const token = 'log-test-token-0123456789'
const password = 'log test password'

describe('the log at level trace', () => {
  let server: ServerProcess
  let data: string
  let tree: string
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'stithy-log-'))
    tree = await buildWorkTree()
    const env = {
      STITHY_ROOT_TOKEN: token,
      STITHY_ROOT_PASSWORD: password,
      STITHY_LOG_LEVEL: 'trace',
    }
    server = await startServerProcess({ data, env })
  })
  afterAll(async () => {
    await server.end('SIGKILL')
    for (const folder of [data, tree]) await rm(folder, { recursive: true, force: true })
  })

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

function signIn(secret: string): RequestInit {
  const body = new URLSearchParams({ 'user[login]': 'root', 'user[password]': secret })
  return { method: 'POST', body }
}
