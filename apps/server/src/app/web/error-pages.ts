import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { loadPageFrame } from '../../directory/appearance/page-frame.ts'
import { findSession } from '../../directory/authentication/session.ts'
import { sessionCookie } from '../../directory/authentication/session-cookie.ts'
import type { App } from '../../platform/app.ts'
import { errorResponseFor, logFailure, sendError } from '../../platform/http/errors.ts'
import { sendFailurePage, wantsPage } from './web-pages.ts'

/**
 * Has browsers get a page for what goes wrong in a scope that serves files; programs get the errors of
 * the API. Sessions and frames are looked up for errors alone.
 */
export async function showErrorPages(scope: FastifyInstance, app: App): Promise<void> {
  await scope.register(cookie)
  scope.setErrorHandler(async (error, request, reply) => {
    if (!wantsPage(request)) return sendError(error, request, reply)
    return sendPageOf(app, error, request, reply)
  })
}

async function sendPageOf(
  app: App,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { status, headers, body } = errorResponseFor(error)
  logFailure(error, status, request, reply)
  try {
    await loadPageFrame(app, request)
    const value = request.cookies[sessionCookie]
    const session = value === undefined ? undefined : await findSession(app, value)
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? {})
    const failure = new Response(text, {
      status,
      headers: { ...headers, 'x-request-id': request.id },
    })
    return await sendFailurePage(app, { request, reply, session }, failure)
  } catch {
    // What the page needs can't be read either.
    return sendError(error, request, reply)
  }
}
