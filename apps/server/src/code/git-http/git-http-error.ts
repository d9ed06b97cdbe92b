import { DomainError } from '@stithy/core'
import type { FastifyReply } from 'fastify'
import { signInHeaders } from '../../directory/authentication/password-sign-in.ts'
import { errorResponseFor } from '../../platform/http/errors.ts'

/** Thrown to refuse a git request, with the message that git shows. */
export class GitHttpError extends Error {
  override readonly name = 'GitHttpError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Git prompts for a username and password on this response. */
export function askForCredentials(message = 'Sign in to access this repository.'): GitHttpError {
  return new GitHttpError(401, message)
}

const stockTexts: Record<number, string> = {
  400: 'The request could not be read.',
  401: 'The user name, password or token is wrong.',
  403: 'You are not allowed to do this.',
  404: 'The repository does not exist, or you are not allowed to see it.',
  422: 'The request takes more time or memory than the server allows.',
  429: 'Too many failed sign-ins. Try again later.',
  503: 'The server is busy. Try again later.',
  507: 'The disk of the server is full.',
}

/** Responds with plain text, which is what git shows for an error. */
export function sendGitError(error: unknown, reply: FastifyReply): FastifyReply {
  const { status, headers } = errorStatus(error)
  if (status >= 500)
    reply.log.error({ err: error, request_id: reply.request.id }, 'a request of git failed')
  if (status === 401) reply.header('www-authenticate', 'Basic realm="Stithy"')
  return reply
    .code(status)
    .headers(headers)
    .headers(uncached)
    .header('content-type', 'text/plain; charset=utf-8')
    .send(`${textOf(error, status)}\n`)
}

function errorStatus(error: unknown): { status: number; headers: Record<string, string> } {
  if (error instanceof GitHttpError) return { status: error.status, headers: {} }
  const { status, headers } = errorResponseFor(error)
  return { status, headers: { ...headers, ...signInHeaders(error) } }
}

function textOf(error: unknown, status: number): string {
  if (error instanceof GitHttpError) return error.message
  const messageOr =
    error instanceof DomainError ? (error.detail.text?.trim() ?? error.detail.message) : undefined
  return messageOr ?? stockTexts[status] ?? 'The server could not do this.'
}

/** What git serves changes with every push. */
export const uncached: Record<string, string> = {
  'cache-control': 'no-cache, max-age=0, must-revalidate',
  expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  pragma: 'no-cache',
}
