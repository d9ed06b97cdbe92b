import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { requestLimitTable } from '../config/request-limits.ts'

let server: TestServer
let address: URL

beforeAll(async () => {
  server = await buildTestServer({ requestTimeoutMs: 50 })
  address = new URL(await server.url())
})
afterAll(() => server.close())

async function open(): Promise<Socket> {
  const socket = connect(Number(address.port), address.hostname)
  await once(socket, 'connect')
  return socket
}

/** All that the server sends until it closes the connection. */
async function readAll(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  await once(socket, 'close')
  return text
}

const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n')

describe('a request whose body does not arrive', () => {
  it('is answered 408 on an endpoint of the API', async () => {
    const socket = await open()
    const token = `private-token: ${server.root.token}`
    socket.write(head('POST /api/v4/projects', token, 'content-length: 100'))
    socket.write('name=a')
    const text = await readAll(socket)
    expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(text).toMatch(/\{"message":"408 Request Timeout"\}$/)
  })

  it('is answered 408 for a multipart form', async () => {
    const socket = await open()
    const token = `private-token: ${server.root.token}`
    const type = 'content-type: multipart/form-data; boundary=b'
    socket.write(head('POST /api/v4/projects', token, type, 'content-length: 1000'))
    socket.write('--b\r\ncontent-disposition: form-data; name="name"\r\n\r\nx')
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('is answered 408 on a page', async () => {
    const socket = await open()
    socket.write(head('POST /users/sign_in', 'content-length: 100'))
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 /)
  })
})

describe('the rest of a request that was answered', () => {
  it.each([
    ['a bad chunk size', 'POST /api/v4/nowhere', 'transfer-encoding: chunked', 'zz\r\n'],
    ['a refused caller', 'POST /api/v4/projects', 'transfer-encoding: chunked', 'zz\r\n'],
  ])('gets no second answer: %s', async (_, line, header, rest) => {
    const socket = await open()
    const all = readAll(socket)
    socket.write(head(line, header))
    await once(socket, 'data')
    socket.write(rest)
    const text = await all
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(text).toMatch(/^HTTP\/1\.1 40[14] /)
  })

  it('closes the connection if it does not arrive', async () => {
    const socket = await open()
    socket.write(head('POST /api/v4/nowhere', 'content-length: 100'))
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('leaves the connection open once it has arrived', async () => {
    const socket = await open()
    socket.write(head('POST /api/v4/nowhere', 'content-length: 3'))
    await once(socket, 'data')
    socket.write(`abc${head('GET /-/liveness', 'connection: close')}`)
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('malformed HTTP', () => {
  it('is answered 400 before anything was answered', async () => {
    const socket = await open()
    socket.write(head('POST /api/v4/projects', 'transfer-encoding: gzip'))
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  })

  it('is answered 400 after a complete request', async () => {
    const socket = await open()
    const all = readAll(socket)
    socket.write(head('GET /-/liveness'))
    await once(socket, 'data')
    socket.write('nonsense\r\n\r\n')
    expect(await all).toMatch(/HTTP\/1\.1 400 Bad Request/)
  })
})

describe('a body that arrives after its head, and is answered without being read to its end', () => {
  it('leaves the connection open, as for the push that follows its probe', async () => {
    const project = await server.buildProject()
    const socket = await open()
    const answers: string[] = []
    socket.on('data', (chunk) => answers.push(String(chunk)))
    const credentials = `authorization: Basic ${btoa(`x:${server.root.token}`)}`
    const path = `/${project.path_with_namespace}.git/git-receive-pack`
    const probe = async () => {
      socket.write(head(`POST ${path}`, credentials, 'content-length: 4'))
      await setTimeout(20)
      socket.write('0000')
      await expect.poll(() => answers.splice(0).join('')).toMatch(/ 200 OK/)
    }
    await probe()
    await setTimeout(requestLimitTable.body.lingerMs.value + 500)
    expect(socket.destroyed).toBe(false)
    await probe()
    socket.destroy()
  })
})
