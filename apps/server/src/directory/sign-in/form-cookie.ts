import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { newSecret, secretsMatch } from '../authentication/secret.ts'
import { cookieOptions } from '../authentication/session-cookie.ts'
import { formText } from './form.ts'

/**
 * CSRF protection before there is a session: the form's token must match this cookie, which no
 * other site can read, nor make the browser send with its own form.
 */
const formCookie = '_service_sign_in'

/** Path of the form to create an account, and of its cookie. */
export const signUpPath = '/users/sign_up'

/** Path of the form, and of the cookies that only it needs. */
export const signInPath = '/users/sign_in'

/** Attributes of the cookies that only the sign-in needs. */
export function signInCookieOptions(app: App, request: FastifyRequest, path = signInPath) {
  return { ...cookieOptions(app, request.protocol), path }
}

/** Sets the cookie that the token of a form at `path` must match, or keeps it; returns the token. */
export function keepFormCookie(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  path = signInPath,
): string {
  const token = request.cookies[formCookie] ?? newSecret()
  reply.setCookie(formCookie, token, signInCookieOptions(app, request, path))
  return token
}

export function clearFormCookie(app: App, request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(formCookie, signInCookieOptions(app, request))
}

/** What a form that came without the cookie says; it is shown again with what was typed, and with a new cookie. */
export const lostCookieText = 'This form had expired. Nothing was changed: please send it again.'

/** Whether a form of this page was submitted by the browser that got it. */
export function hasFormToken(request: FastifyRequest): boolean {
  const expected = request.cookies[formCookie]
  const token = formText(request.body, 'authenticity_token')
  return expected !== undefined && secretsMatch(token, expected)
}
