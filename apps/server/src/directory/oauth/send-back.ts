import { html } from '@stithy/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../authentication/session.ts'
import { comesFromHere } from '../sign-in/own-page.ts'
import { sendPage } from '../sign-in/page.ts'

interface Destination {
  location: string
  session: Session
  /** The name of the application. */
  name: string
}

/**
 * Sends a browser back to an application. After a form of ours, such as that of the sign-in,
 * browsers refuse redirects to other sites (`form-action` of our content security policy), at any
 * later step as well; so those get a page that goes on by itself.
 */
export function sendBack(
  request: FastifyRequest,
  reply: FastifyReply,
  { location, session, name }: Destination,
): FastifyReply {
  if (!comesFromHere(request)) {
    return reply.header('cache-control', 'no-store').redirect(location, 302)
  }
  return sendPage(reply, {
    title: 'You are being sent back',
    session,
    body: html`<meta http-equiv="refresh" content="0;url=${location}">
<section><p><a href="${location}" rel="noreferrer">Go on to ${name}</a></p></section>`,
  })
}
