import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../test-server.ts'

/** A delivery as it arrived. */
export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Json
}

export interface HookReceiver {
  url: string
  received: Received[]
  /** The most requests that were under way together. */
  mostAtOnce: number
  /** How the next requests are answered; `undefined` leaves them without an answer. */
  answer: (count: number) => { status: number; location?: string } | undefined
  close: () => Promise<void>
}

/** A server of somebody else that hooks are delivered to; it answers 200 until told otherwise. */
export async function startHookReceiver(): Promise<HookReceiver> {
  let open = 0
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    open += 1
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, open)
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
      const { status, location } = answer
      response.writeHead(status, location === undefined ? {} : { location }).end('thank you')
    })
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: HookReceiver = {
    url: `http://127.0.0.1:${port}`,
    received: [],
    mostAtOnce: 0,
    answer: () => ({ status: 200 }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return receiver
}
