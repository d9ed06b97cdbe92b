import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../test-server.ts'

/** A received delivery. */
export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Json
}

/** What a receiver answers; `body` may be written for as long as it likes. */
export interface HookAnswer {
  status: number
  location?: string
  headers?: Record<string, string>
  body?: string | ((response: ServerResponse) => void)
}

export interface HookReceiver {
  url: string
  received: Received[]
  /** The maximum number of concurrent requests so far. */
  maxConcurrent: number
  /** Chooses the answer to the next requests; `undefined` leaves a request unanswered. */
  answer: (count: number) => HookAnswer | undefined
  close: () => Promise<void>
}

/** Starts a server that receives webhooks; it answers 200 unless `answer` is changed. */
export async function startHookReceiver(): Promise<HookReceiver> {
  let open = 0
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    open += 1
    receiver.maxConcurrent = Math.max(receiver.maxConcurrent, open)
    response.on('close', () => {
      open -= 1
    })
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { method = '', url: path = '', headers } = request
      receiver.received.push({ method, path, headers, body: text === '' ? null : JSON.parse(text) })
      const answer = receiver.answer(receiver.received.length)
      if (answer === undefined) return
      const { status, location, headers: others, body = 'thank you' } = answer
      response.writeHead(status, { ...others, ...(location === undefined ? {} : { location }) })
      if (typeof body === 'string') response.end(body)
      else body(response)
    })
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: HookReceiver = {
    url: `http://127.0.0.1:${port}`,
    received: [],
    maxConcurrent: 0,
    answer: () => ({ status: 200 }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return receiver
}
