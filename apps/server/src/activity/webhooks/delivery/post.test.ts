import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import sshpk from 'sshpk'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BlockedAddressError, isPublicAddress } from '../../../platform/outbound/address.ts'
import { type HookReceiver, startHookReceiver } from '../../../testing/clients/hook-receiver.ts'
import { type OutboundPost, type PostAnswer, post } from './post.ts'

let receiver: HookReceiver
let other: HookReceiver

beforeAll(async () => {
  receiver = await startHookReceiver()
  other = await startHookReceiver()
})
afterEach(() => {
  for (const one of [receiver, other]) {
    one.received.length = 0
    one.answer = () => ({ status: 200 })
  }
})
afterAll(async () => {
  await receiver.close()
  await other.close()
})

async function send(changes: Partial<OutboundPost> = {}): Promise<number> {
  return (await exchange(changes)).status
}

function exchange(changes: Partial<OutboundPost> = {}): Promise<PostAnswer> {
  return post({
    url: `${receiver.url}/hook?x=1`,
    body: '{"a":1}',
    headers: { 'content-type': 'application/json' },
    secrets: { 'X-Gitlab-Token': 'secret' },
    verifiesTls: true,
    isAllowed: () => true,
    timeoutMs: 5000,
    signal: new AbortController().signal,
    ...changes,
  })
}

describe('post', () => {
  it('sends body, headers and secrets, and returns the status whatever it is', async () => {
    receiver.answer = () => ({ status: 503 })
    expect(await send()).toBe(503)
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        path: '/hook?x=1',
        body: { a: 1 },
        headers: { 'content-type': 'application/json', 'x-gitlab-token': 'secret' },
      },
    ])
  })

  it('sends credentials in the URL as Basic authentication, and not in the path', async () => {
    await send({ url: receiver.url.replace('//', '//us%40er:p%3Aw@') })
    const [{ headers, path } = { headers: {}, path: '' }] = receiver.received
    expect(headers.authorization).toBe(`Basic ${Buffer.from('us@er:p:w').toString('base64')}`)
    expect(path).toBe('/')
  })

  it.each([301, 302, 307, 308])(
    'follows a %i with the same body, without the secrets',
    async (status) => {
      receiver.answer = () => ({ status, location: `${other.url}/new` })
      expect(await send({ url: receiver.url.replace('//', '//user:pass@') })).toBe(200)
      expect(other.received).toMatchObject([{ method: 'POST', path: '/new', body: { a: 1 } }])
      expect(other.received[0]?.headers).not.toHaveProperty('x-gitlab-token')
      expect(other.received[0]?.headers).not.toHaveProperty('authorization')
    },
  )

  it('sends the secrets on a redirect to the same host only', async () => {
    receiver.answer = (count) => (count === 1 ? { status: 308, location: '/b' } : { status: 200 })
    await send()
    expect(receiver.received[1]).toMatchObject({
      path: '/b',
      headers: { 'x-gitlab-token': 'secret' },
    })
  })

  it('stops after three redirects, and at one without a location', async () => {
    receiver.answer = () => ({ status: 307, location: '/again' })
    expect(await send()).toBe(307)
    expect(receiver.received).toHaveLength(4)
    receiver.answer = () => ({ status: 307, location: 'file:///etc/passwd' })
    expect(await send()).toBe(307)
    receiver.answer = () => ({ status: 303, location: other.url })
    expect(await send()).toBe(303)
    expect(other.received).toEqual([])
  })

  it('refuses addresses that are not allowed, whether given, resolved or redirected to', async () => {
    const port = new URL(receiver.url).port
    const nothing = { isAllowed: isPublicAddress }
    await expect(send(nothing)).rejects.toThrow(BlockedAddressError)
    const named = send({ ...nothing, url: `http://localhost:${port}/` })
    await expect(named).rejects.toSatisfy(isBlocked)
    expect(receiver.received).toEqual([])
    // Every address of 127/8 is this machine; for this test one of them counts as public.
    const isAllowed = (address: string) => address === '127.0.0.1'
    const targets = [
      `http://127.0.0.2:${port}/`,
      `http://[::1]:${port}/`,
      `http://0.0.0.0:${port}/`,
    ]
    for (const location of targets) {
      receiver.received.length = 0
      receiver.answer = () => ({ status: 307, location })
      await expect(send({ isAllowed })).rejects.toThrow(BlockedAddressError)
      expect(receiver.received).toHaveLength(1)
    }
    receiver.answer = () => ({ status: 200 })
    expect(await send({ isAllowed, url: `http://localhost:${port}/` })).toBe(200)
  })

  it('returns the headers and the beginning of the body, and reads no more of it', async () => {
    let written = 0
    receiver.answer = () => ({
      status: 200,
      headers: { 'x-answer': '42' },
      body(response) {
        const chunk = 'ä'.repeat(32 * 1024)
        const write = () => {
          // A gigabyte, if anyone read it.
          while (written < 2 ** 30 && !response.destroyed) {
            written += chunk.length * 2
            if (!response.write(chunk)) return void response.once('drain', write)
          }
          response.end()
        }
        write()
      },
    })
    const { status, headers, body } = await exchange()
    expect([status, headers['x-answer']]).toEqual([200, '42'])
    expect(body).toBe('ä'.repeat(4096))
    expect(written).toBeLessThan(64 * 2 ** 20)
  })

  it('takes a body that never ends, or breaks, for what arrived of it in time', async () => {
    receiver.answer = () => ({ status: 202, body: (response) => void response.write('begun') })
    const started = Date.now()
    expect(await exchange({ timeoutMs: 300 })).toMatchObject({ status: 202, body: 'begun' })
    expect(Date.now() - started).toBeLessThan(4000)
    receiver.answer = () => ({
      status: 500,
      body(response) {
        response.write('half', () => response.destroy())
      },
    })
    expect(await exchange()).toMatchObject({ status: 500, body: 'half' })
  })

  it('refuses a response with an endless header', async () => {
    const headers = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`x-${at}`, 'x'.repeat(1000)]),
    )
    receiver.answer = () => ({ status: 200, headers })
    await expect(send()).rejects.toThrow(/header/i)
  })

  it('reads no more of what a receiver sends instead of a response, or within one', async () => {
    const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
    const early = await startFlood('', `HTTP/1.1 103 Early Hints\r\nx: ${'x'.repeat(1000)}\r\n\r\n`)
    const blank = await startFlood('', '\r\n'.repeat(1000))
    const extension = await startFlood(`${chunked}1;`, 'x'.repeat(1000))
    for (const { url } of [early, blank]) {
      await expect(send({ url })).rejects.toThrow(/too long/)
    }
    expect(await exchange({ url: extension.url })).toMatchObject({ status: 200, body: '' })
    for (const { written, close } of [early, blank, extension]) {
      close()
      expect(written()).toBeLessThan(64 * 2 ** 20)
    }
  })

  it('gives up when no response arrives in time', async () => {
    receiver.answer = () => undefined
    const started = Date.now()
    await expect(send({ timeoutMs: 200 })).rejects.toThrow(/timeout|aborted/i)
    expect(Date.now() - started).toBeLessThan(4000)
    await expect(send({ url: 'http://127.0.0.1:1/' })).rejects.toThrow(/ECONNREFUSED/)
  })

  it('requires a trusted certificate unless verification is off', async () => {
    const key = sshpk.generatePrivateKey('ecdsa')
    const identity = sshpk.identityForHost('localhost')
    const cert = sshpk.createSelfSignedCertificate(identity, key)
    const server = createServer(
      { key: key.toString('pkcs8'), cert: cert.toString('pem') },
      (request, response) => {
        request.resume()
        response.writeHead(201).end()
      },
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `https://localhost:${(server.address() as AddressInfo).port}/`
    await expect(send({ url })).rejects.toThrow(/self-signed certificate/)
    expect(await send({ url, verifiesTls: false })).toBe(201)
    server.closeAllConnections()
    server.close()
  })
})

/** A server that sends a text, and then another one as often as anybody reads it. */
async function startFlood(first: string, repeated: string) {
  let written = 0
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    const block = repeated.repeat(100)
    const flood = () => {
      while (!socket.destroyed && written < 2 ** 30) {
        written += block.length
        if (!socket.write(block)) return void socket.once('drain', flood)
      }
    }
    socket.once('data', () => {
      socket.write(first)
      flood()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, written: () => written, close: () => server.close() }
}

function isBlocked(error: unknown): boolean {
  return (
    error instanceof BlockedAddressError || (error as Error).cause instanceof BlockedAddressError
  )
}
