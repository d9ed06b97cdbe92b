import { anonymous, notFound } from '@stithy/core'
import { findUser } from '@stithy/store'
import { html } from '@stithy/web'
import type { FastifyInstance } from 'fastify'
import { formText } from '../../directory/sign-in/form.ts'
import { sendPage } from '../../directory/sign-in/page.ts'
import { setSubscription } from '../../planning/subscriptions/subscription.service.ts'
import type { App } from '../../platform/app.ts'
import { loadTarget } from '../notifications/notified-item.ts'
import {
  readUnsubscribeToken,
  type UnsubscribeTarget,
  unsubscribePath,
} from './unsubscribe-link.ts'

const names = { issue: 'issue', merge_request: 'merge request', epic: 'epic' } as const

/**
 * Registers the page that the link in a notification opens. Programs that look at links get a form;
 * the form, and mail clients by themselves (RFC 8058), unsubscribe with a POST.
 */
export function registerUnsubscribePage(server: FastifyInstance, app: App): void {
  server.get(unsubscribePath, async (request, reply) => {
    const { type } = await requireTarget(app, formText(request.params, 'token'))
    return sendPage(reply, {
      title: `Unsubscribe from this ${names[type]}?`,
      body: html`<section><p>You get no more mail about it, unless somebody mentions you.</p>
<form method="post"><p><button class="primary" type="submit">Unsubscribe</button></p></form></section>`,
    })
  })
  server.post(unsubscribePath, async (request, reply) => {
    const target = await requireTarget(app, formText(request.params, 'token'))
    const { userId, ...item } = target
    const now = app.now()
    await app.db.transaction((tx) => setSubscription(tx, item, userId, false, now))
    return sendPage(reply, {
      title: 'You are unsubscribed',
      body: html`<section><p>You get no more mail about this ${names[item.type]}.</p></section>`,
    })
  })
}

/** @throws DomainError `not_found` for a forged token, and for what does not exist any more */
async function requireTarget(app: App, token: string): Promise<UnsubscribeTarget> {
  const target = readUnsubscribeToken(app, token)
  const user = target && (await findUser(app.db, target.userId))
  const item = target && (await loadTarget(app, target, { facts: anonymous }))
  if (target === undefined || user === undefined || item === undefined) throw notFound('Link')
  return target
}
