import { DomainError } from '@stithy/core'
import { html } from '@stithy/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorResponseFor } from '../../platform/http/errors.ts'
import { signInHeaders } from '../authentication/password-sign-in.ts'
import { sendPage } from './page.ts'

/** Sends an error as a page; only that of a bad request says what is wrong. */
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
  const reason =
    error instanceof DomainError && error.code === 'bad_request' ? error.detail.message : undefined
  return sendPage(reply.headers({ ...headers, ...signInHeaders(error) }), {
    status,
    title: status >= 500 ? 'Something went wrong here' : 'That did not work',
    body: html`<section><p>${reason ?? `The answer is ${status}.`} <a href="/">Go back to the start</a>.</p></section>`,
  })
}
