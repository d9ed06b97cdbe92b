import { DomainError } from '@stithy/core'
import { explain, html } from '@stithy/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { prefersHtml } from '../../platform/http/accept.ts'
import { errorResponseFor, sendError } from '../../platform/http/errors.ts'
import { signInHeaders } from '../authentication/password-sign-in.ts'
import { formText } from './form.ts'
import { sendPage } from './page.ts'

/** Sends an error as a page. */
export function sendErrorPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, headers, body } = errorResponseFor(error)
  if (typeof body === 'string')
    return reply.code(status).headers(headers).type('text/plain').send(body)
  // A client that left while its password waited to be checked is no failure.
  if (status >= 500 && !reply.raw.destroyed)
    request.log.error({ err: error, request_id: request.id }, 'a page failed')
  const { title, text } = explain(status)
  const reason = status === 400 ? reasonOf(error, body) : undefined
  return sendPage(reply.headers({ ...headers, ...signInHeaders(error) }), {
    status,
    title,
    body: html`<section><p>${reason ?? text} <a href="/">Go back to the start</a>.</p></section>`,
  })
}

/** A bad request says what is wrong, and so does what could not be read, such as a form that ends too early. */
function reasonOf(error: unknown, body: object | null): string | undefined {
  if (error instanceof DomainError && error.code === 'bad_request') return error.detail.message
  const message = formText(body, 'error')
  return message === '' ? undefined : `${message[0]?.toUpperCase()}${message.slice(1)}.`
}

/**
 * Sends the error of a request that no route takes: as a page to browsers, which say so, and as JSON to all
 * others and for what the API lacks.
 */
export function sendUnknown(error: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
  const isPage = !request.url.startsWith('/api/') && prefersHtml(request.headers.accept)
  return isPage ? sendErrorPage(error, request, reply) : sendError(error, request, reply)
}
