import { csrfField, type Html, html, textArea, textField } from '@stithy/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Params } from '../../platform/http/nested-params.ts'
import type { Session } from '../authentication/session.ts'
import { type KeptForm, keepForm } from './kept-fields.ts'
import { comesFromHere } from './own-page.ts'
import { sendPage } from './page.ts'
import { returnPath, withReturn } from './return-path.ts'

interface Refused {
  /** Undefined where the session has ended. */
  session: Session | undefined
  /** What was sent; undefined where it was not read. */
  fields: Params | undefined
}

/**
 * Answers a form without the token of a session: 401 where the session has ended, else 422. What was
 * typed on a page of ours is shown again, to be sent by a press of a button; what another site
 * has sent is not.
 */
export function refuseForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { session, fields }: Refused,
): FastifyReply {
  const isOurs = comesFromHere(request)
  if (!isOurs && session === undefined)
    return reply.redirect(withReturn('/users/sign_in', '/'), 303)
  if (!isOurs) return rejectForm(reply, session)
  const form = keepForm(fields, request.query as Params)
  return sendPage(reply, {
    status: session === undefined ? 401 : 422,
    title: session === undefined ? 'You are no longer signed in' : 'This form has expired',
    session,
    body: html`<section><p>Nothing was changed. ${session === undefined ? signIn : 'The form is from before you signed in.'}</p>${advice(form, session)}</section>
${(form.isWhole || form.fields.length > 0) && sentAgain(returnPath(request.url), form, session)}`,
  })
}

const signIn = html`<a href="/users/sign_in" target="_blank" rel="noopener">Sign in in another tab</a>, and come back to this one.`

function advice({ fields, isWhole }: KeptForm, session: Session | undefined): Html {
  if (isWhole) {
    return html`<p>${session === undefined ? 'Once you are signed in, send it again' : 'Send it again'} if this is what you meant.</p>`
  }
  const kept = fields.length > 0 && 'What else you typed is below. '
  return html`<p>${kept}Files, passwords, tokens and very long texts are not kept: go back in your browser, load the page again and send it from there.</p>`
}

/**
 * Without what is left out it would do something else, so then it has no button.
 * @param action a path of this server
 */
function sentAgain(
  action: string,
  { fields, isWhole }: KeptForm,
  session: Session | undefined,
): Html {
  const controls = fields.map(({ name, value }, at) => {
    const field = { id: `field-${at}`, name, label: labelOf(name), value }
    return value.length > 80 || value.includes('\n') ? textArea(field) : textField(field)
  })
  const button =
    isWhole &&
    html`<p><button class="primary">Send again</button> to <code>${action.slice(0, 500)}</code></p>`
  return html`<form method="post" action="${action}">${session && csrfField(session)}
${controls}${button}</form>`
}

/** `merge_request[target_branch]`: Merge request target branch. */
function labelOf(name: string): string {
  const words = name.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  return words.slice(0, 1).toUpperCase() + words.slice(1, 100)
}

/** Rejects a form that lacks the token of its page. */
export function rejectForm(reply: FastifyReply, session?: Session): FastifyReply {
  return sendPage(reply, {
    status: 422,
    title: 'This form has expired',
    session,
    body: html`<section><p>Nothing was changed. <a href="/">Go back to the start</a> and try again.</p></section>`,
  })
}
