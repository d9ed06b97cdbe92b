import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One received request. */
export interface RecordedRequest {
  method: string
  /** The path and query as sent. */
  url: string
  headers: IncomingMessage['headers']
  body: string
}

/** A response; `hang` never responds, `drop` closes the connection. */
export type Reply =
  | 'hang'
  | 'drop'
  | {
      status?: number
      headers?: Record<string, string>
      json?: unknown
      body?: string | Uint8Array
    }

export interface RecordingServer {
  url: string
  seen: RecordedRequest[]
  /** Sets the responses from now on; the number counts all requests from 0. */
  respond: (reply: Reply | ((request: RecordedRequest, count: number) => Reply)) => void
  close: () => Promise<void>
}

/** A small real server that records its requests. */
export async function startRecordingServer(): Promise<RecordingServer> {
  let current: Reply | ((request: RecordedRequest, count: number) => Reply) = { json: {} }
  const seen: RecordedRequest[] = []
  const server = createServer(async (request, response) => {
    const record = await readRequest(request)
    seen.push(record)
    const reply = typeof current === 'function' ? current(record, seen.length - 1) : current
    answer(request, response, reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    respond(reply) {
      current = reply
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readRequest(request: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method = '', url = '', headers } = request
  return { method, url, headers, body: Buffer.concat(chunks).toString() }
}

function answer(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return
  if (reply === 'drop') {
    request.socket.destroy()
    return
  }
  const { status = 200, headers = {}, json, body } = reply
  if (json === undefined) {
    response.writeHead(status, headers).end(body)
    return
  }
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(json))
}
