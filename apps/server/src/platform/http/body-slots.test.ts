import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

const mebibyte = 1024 * 1024

let server: TestServer
let project: Json
let address: URL
/** Who has nothing open yet: the server sees only later that a client has left. */
let user: Awaited<ReturnType<TestServer['buildUser']>>
const sockets: Socket[] = []

beforeAll(async () => {
  server = await buildTestServer()
  project = await server.buildProject({ visibility: 'public' })
  address = new URL(await server.url())
})
beforeEach(async () => {
  user = await server.buildUser()
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => server.close())

/** Sends the head of a request and waits until the server has read it. */
async function announce(path: string, headers: Record<string, string>) {
  const socket = connect(Number(address.port), address.hostname)
  sockets.push(socket)
  await once(socket, 'connect')
  const all = {
    'private-token': user.token,
    'content-type': 'application/json',
    expect: '100-continue',
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(
    `POST /api/v4/projects/${project.id}${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`,
  )
  const received: Buffer[] = []
  socket.on('data', (bytes: Buffer) => received.push(bytes))
  const text = () => Buffer.concat(received).toString()
  await expect.poll(text).toContain('HTTP/1.1 100 ')
  /** The response that follows the interim one, once there is one. */
  const response = () => text().split('\r\n\r\n', 2)[1] ?? ''
  return { socket, response }
}

type Announced = Awaited<ReturnType<typeof announce>>

/** A body of up to 64 MiB that never comes: the share of one user. */
const fillShare = () => announce('/repository/commits', { 'transfer-encoding': 'chunked' })

function openIssue(title: string, { token } = user) {
  return server.inject('POST', `/projects/${project.id}/issues`, { token, body: { title } })
}

describe('a request with a large body', () => {
  it('waits for those of the same user, and goes on when one of them is gone', async () => {
    const first = await fillShare()
    const text = JSON.stringify({ title: 'a'.repeat(mebibyte) })
    const second = await announce('/issues', { 'content-length': String(text.length) })
    second.socket.write(text)
    expect((await openIssue('Small')).status).toBe(201)
    expect((await openIssue('a'.repeat(mebibyte), await server.buildUser())).status).toBe(400)
    expect(second.response()).toBe('')
    first.socket.destroy()
    await expect.poll(second.response).toMatch(/^HTTP\/1.1 400 /)
  })

  it('returns 429 when too many of the same user wait', async () => {
    const requests: Announced[] = []
    for (let count = 0; count < 18; count += 1) requests.push(await fillShare())
    const responses = () => requests.map(({ response }) => response()).filter((text) => text !== '')
    await expect.poll(responses).toHaveLength(1)
    expect(responses()[0]).toMatch(/^HTTP\/1.1 429 /)
    expect(responses()[0]?.toLowerCase()).toContain('retry-after: 10')
  })

  it('counts no longer once it was answered', async () => {
    for (let count = 0; count < 20; count += 1) {
      expect((await openIssue('a'.repeat(7 * mebibyte))).status).toBe(400)
    }
  })
})
