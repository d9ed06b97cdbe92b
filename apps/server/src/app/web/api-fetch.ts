import { Readable } from 'node:stream'
import { ReadableStream, type UnderlyingSource } from 'node:stream/web'
import { setImmediate } from 'node:timers/promises'
import type { Fetch } from '@stithy/client'
import { lazy } from '@stithy/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { handSession } from '../../directory/authentication/handed-session.ts'
import type { Session } from '../../directory/authentication/session.ts'
import { sessionCookie } from '../../directory/authentication/session-cookie.ts'
import { callInProcess, type InProcessAnswer } from '../../platform/http/in-process-call.ts'
import { isPermissionCheckCall } from '../../platform/http/internal-call.ts'
import { takeTurn } from '../../platform/threads/take-turn.ts'

/** The origin that calls of pages are addressed to; nothing is sent over the network. */
export const pagesOrigin = 'http://pages.invalid'

/**
 * A `fetch` that calls the API within the process, as the browser of a request would: with its
 * session and from its address, so that permissions, limits and errors are those of the API.
 */
export function apiFetch(
  server: FastifyInstance,
  request: FastifyRequest,
  session: Session | undefined,
): Fetch {
  const own = credentialsOf(request, session)
  // A write may end the session, or change what its user may do.
  let isCurrent = session !== undefined
  return async (url, { method = 'GET', headers = {}, body, signal }) => {
    signal?.throwIfAborted()
    const sent = await encodeBody(body)
    // A page makes many calls at once, each of which reads what it belongs to.
    await takeTurn()
    if (isWrite(method, headers as Record<string, string>)) isCurrent = false
    const handed = isCurrent ? session : undefined
    const answer = await callInProcess(
      server,
      {
        method,
        url: url.slice(pagesOrigin.length),
        headers: { ...(headers as Record<string, string>), ...own, ...sent.headers },
        remoteAddress: request.ip,
        isStream: isRaw(headers),
        ...(sent.payload === undefined ? {} : { body: sent.payload }),
      },
      (call) => handSession(call, handed),
    )
    return responseOf(answer)
  }
}

/** What only asks whether a write is permitted is none. */
function isWrite(method: string, headers: Record<string, string>): boolean {
  return method !== 'GET' && method !== 'HEAD' && !isPermissionCheckCall(headers)
}

/** The client takes anything else than JSON of raw endpoints alone, which may be long. */
function isRaw(headers: RequestInit['headers']): boolean {
  return (headers as Record<string, string> | undefined)?.accept === '*/*'
}

function responseOf({ status, headers, body }: InProcessAnswer): Response {
  if (!(body instanceof Readable)) {
    const TextResponse = textResponse()
    return new TextResponse(String(body), { status, headers })
  }
  if (status === 204 || status === 304) return new Response(null, { status, headers })
  return new Response(streamOf(body) as BodyInit, { status, headers })
}

/**
 * Not `Readable.toWeb`: when a page cancels that, what it has read already is an error that nobody can catch.
 * Not `ReadableStream.from`: to cancel that before anything was read does not end the source.
 */
function streamOf(body: Readable): ReadableStream {
  const chunks = body.iterator()
  const source: UnderlyingSource<Buffer> = {
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void body.destroy(),
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

/** In characters; a text that is longer takes a turn of its own to parse. */
const longText = 256 * 1024

/**
 * The class of responses that are read as a text: making a stream of its body takes longer than many
 * calls. With the first use of `Response`, Node.js loads the implementation of `fetch`.
 */
const textResponse = lazy(() => {
  return class extends Response {
    readonly #text: string

    constructor(text: string, init: ResponseInit) {
      super(null, init)
      this.#text = text
    }

    override async text(): Promise<string> {
      if (this.#text.length > longText) await setImmediate()
      return this.#text
    }
  }
})

function credentialsOf(
  { cookies, headers }: FastifyRequest,
  session: Session | undefined,
): Record<string, string> {
  const agent = headers['user-agent']
  const own: Record<string, string> = agent === undefined ? {} : { 'user-agent': agent }
  const cookie = cookies[sessionCookie]
  if (session === undefined || cookie === undefined) return own
  return {
    ...own,
    cookie: `${sessionCookie}=${encodeURIComponent(cookie)}`,
    'x-csrf-token': session.csrfToken,
  }
}

interface EncodedBody {
  payload?: string | Buffer
  headers: Record<string, string>
}

async function encodeBody(body: RequestInit['body']): Promise<EncodedBody> {
  if (body === null || body === undefined) return { headers: {} }
  if (typeof body === 'string') return { payload: body, headers: {} }
  const encoded = new Response(body)
  const type = encoded.headers.get('content-type')
  return {
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: type === null ? {} : { 'content-type': type },
  }
}
