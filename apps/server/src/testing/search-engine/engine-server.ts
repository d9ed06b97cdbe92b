import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createIndices, type EngineCall, type EngineReply } from './engine-indices.ts'

/** A request that arrived. */
export interface ReceivedCall extends EngineCall {
  headers: IncomingMessage['headers']
  /** Path and query as they were sent. */
  target: string
  text: string
}

/** Answers in place of the engine; undefined for the engine's own answer. */
export type Interception = (
  call: ReceivedCall,
) => { status: number; body: string; headers?: Record<string, string> } | 'hang' | undefined

export interface EngineServer {
  url: string
  calls: ReceivedCall[]
  /** Set by tests of an engine that misbehaves. */
  intercept: Interception
  /** Runs before each call is processed. */
  before: (call: ReceivedCall) => Promise<void> | void
  close: () => Promise<void>
}

/**
 * Starts an HTTP server with the part of the OpenSearch API that the server uses: what is not known
 * is refused, so that a test fails where the API may be another than expected.
 */
export async function startEngineServer(port = 0): Promise<EngineServer> {
  const indices = createIndices()
  const engine: EngineServer = {
    url: '',
    calls: [],
    intercept: () => undefined,
    before: () => {},
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections()
        http.close(() => resolve())
      }),
  }
  const http = createServer((request, response) => {
    void answer(engine, request, response, indices)
  })
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve))
  engine.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return engine
}

async function answer(
  engine: EngineServer,
  request: IncomingMessage,
  response: ServerResponse,
  indices: (call: EngineCall) => EngineReply,
): Promise<void> {
  const call = await receive(request)
  engine.calls.push(call)
  await engine.before(call)
  const other = engine.intercept(call)
  if (other === 'hang') return
  if (other !== undefined) {
    response.writeHead(other.status, { 'content-type': 'application/json', ...other.headers })
    response.end(other.body)
    return
  }
  // A request takes some time.
  await delay(1)
  const { status, body } = indices(call)
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' })
  response.end(JSON.stringify(body))
}

async function receive(request: IncomingMessage): Promise<ReceivedCall> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const target = request.url ?? ''
  const { pathname, searchParams } = new URL(target, 'http://engine.test')
  return {
    method: request.method ?? '',
    // Engines may be behind a path of a proxy.
    path: pathname.replace(/^\/behind/, ''),
    query: Object.fromEntries(searchParams),
    text: Buffer.concat(chunks).toString(),
    headers: request.headers,
    target,
  }
}
