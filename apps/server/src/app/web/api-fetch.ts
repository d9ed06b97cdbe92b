import { ReadableStream } from 'node:stream/web'
import type { Fetch } from '@stithy/client'
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import type { Session } from '../../directory/authentication/session.ts'
import { sessionCookie } from '../../directory/authentication/session-cookie.ts'
import { internalCallHeaders } from '../../platform/http/internal-call.ts'

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
  return async (url, { method = 'GET', headers, body, signal }) => {
    signal?.throwIfAborted()
    const sent = await encodeBody(body)
    const answer = await server.inject({
      method: method as HTTPMethods,
      url: url.slice(pagesOrigin.length),
      headers: {
        ...(headers as Record<string, string>),
        ...own,
        ...sent.headers,
        ...internalCallHeaders,
      },
      remoteAddress: request.ip,
      payloadAsStream: isRaw(headers),
      ...(sent.payload === undefined ? {} : { payload: sent.payload }),
    })
    return new Response(
      hasNoContent(answer.statusCode) ? null : contentOf(answer, isRaw(headers)),
      { status: answer.statusCode, headers: headersOf(answer.headers) },
    )
  }
}

type Answer = Awaited<ReturnType<FastifyInstance['inject']>>

/** The client takes anything else than JSON of raw endpoints alone, which may be long. */
function isRaw(headers: RequestInit['headers']): boolean {
  return (headers as Record<string, string> | undefined)?.accept === '*/*'
}

function contentOf(answer: Answer, isStream: boolean): BodyInit {
  if (!isStream) return new Uint8Array(answer.rawPayload)
  // A client that leaves ends the call, as that of a real connection would be, and what it reads from.
  const stream = answer.stream().once('close', () => answer.raw.res.destroy())
  // Not `Readable.toWeb`: when a page cancels that, what it has read already is an error that nobody can catch.
  return ReadableStream.from(stream) as BodyInit
}

function hasNoContent(status: number): boolean {
  return status === 204 || status === 304
}

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

function headersOf(headers: Answer['headers']): Headers {
  const all = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) all.set(name, String(value))
  }
  return all
}
