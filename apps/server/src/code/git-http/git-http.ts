import { withRequestId } from '@stithy/store'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import type { AnonymousGuard } from '../../platform/http/anonymous-guard.ts'
import type { CountCaller } from '../../platform/http/identify.ts'
import { identifyRequester } from './git-access.ts'
import { GitHttpError, sendGitError } from './git-http-error.ts'
import { isProtocolEnabled } from './git-protocol.ts'
import { type GitRoute, isGitRequest, parseGitRoute } from './git-route.ts'
import { serveAdvertisement, serveFetch } from './serve-fetch.ts'
import { servePush } from './serve-push.ts'
import { createTransfers, type Transfers } from './transfers.ts'

/**
 * Registers git's smart HTTP protocol at `/<full path>.git`. Register it in a separate scope: it
 * takes request bodies as raw streams, of any length.
 */
export function registerGitHttp(scope: FastifyInstance, app: App, counts: CallerCounts): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  const transfers = createTransfers(app)
  const handler = (request: FastifyRequest, reply: FastifyReply) =>
    answer(app, { ...counts, transfers }, request, reply)
  // A full path has any number of segments, which only a wildcard matches.
  const options = { config: { identifiesCaller: true }, constraints: { git: 'true' } } as const
  scope.get('/*', options, handler)
  scope.post('/*', options, handler)
}

/** Tells git's requests from those for web pages, whose paths have any length too. */
export const gitConstraint = {
  name: 'git',
  storage<Handler>() {
    const handlers = new Map<string, Handler>()
    return {
      get: (value: string) => handlers.get(value) ?? null,
      set: (value: string, handler: Handler) => void handlers.set(value, handler),
    }
  },
  deriveConstraint: ({ method = '', url = '' }: { method?: string; url?: string }) =>
    isGitRequest(method, url) ? 'true' : 'false',
}

/** What counts callers without an account. */
export interface CallerCounts {
  guard: AnonymousGuard
  /** For what turns out to be no path of git. */
  countCaller: CountCaller
}

interface Limiters extends CallerCounts {
  transfers: Transfers
}

async function answer(
  app: App,
  limiters: Limiters,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const route = parseGitRoute(request.method, request.url)
  if (route === undefined) {
    await limiters.countCaller(request, reply)
    reply.callNotFound()
    return reply
  }
  try {
    return await withRequestId(request.id, () => serve(app, limiters, route, request, reply))
  } catch (error) {
    // A client that was inactive has its answer already.
    if (reply.sent) return reply
    return sendGitError(error, reply)
  }
}

async function serve(
  app: App,
  { guard, transfers }: Limiters,
  route: GitRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  if (!isProtocolEnabled(app, 'http')) {
    throw new GitHttpError(403, 'Git access over HTTP is not allowed.')
  }
  const requester = await identifyRequester(app, guard, request, reply)
  if (route.kind === 'redirect') {
    const prefix = new URL(app.config.externalUrl).pathname.replace(/\/$/, '')
    return reply.redirect(prefix + route.location, 301)
  }
  if (route.kind === 'dumb') {
    throw new GitHttpError(403, 'Only the smart protocol is served: use a newer git.')
  }
  const exchange = { requester, request, reply, transfers }
  if (route.kind === 'upload-pack') return serveFetch(app, exchange, route.path)
  if (route.kind === 'receive-pack') return servePush(app, exchange, route.path)
  if (request.method === 'HEAD') throw new GitHttpError(403, 'HEAD is not supported here.')
  return serveAdvertisement(app, exchange, route)
}
