import { DomainError, tokenScopes } from '@stithy/core'
import { fromJsonText, listTokens, type TokenRow } from '@stithy/store'
import {
  actionButton,
  card,
  csrfField,
  errorSummary,
  type FormError,
  type Html,
  html,
  row,
  rows,
  shownOnce,
  textField,
} from '@stithy/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import type { Session } from '../authentication/session.ts'
import { createToken, revokeUserToken } from '../tokens/token.service.ts'
import { withSession } from './browser.ts'
import { formText, formTexts, rowId } from './form.ts'
import { type FieldLabel, formErrorsOf, sendPage } from './page.ts'
import { offeredScopes, onlyOffered, scopeChoices, scopeTexts } from './scope-choices.ts'
import { type ShownOnce, setShownOnce, takeShownOnce } from './shown-once.ts'

const path = '/-/profile/personal_access_tokens'

const kind = 'personal'

/** Submitted values of a form that is shown again. */
interface TokenForm {
  name: string
  scopes: readonly string[]
  expiresOn: string
}

interface TokenPage {
  status?: number
  form?: TokenForm
  formErrors?: readonly FormError[]
  /** A new token, shown this once. */
  created?: ShownOnce | undefined
}

/** Registers the page to list, create and revoke one's personal access tokens. */
export function registerTokenPage(server: FastifyInstance, app: App): void {
  server.get(
    path,
    withSession(async (request, reply, session) => {
      const created = takeShownOnce({ app, request, reply, session, path })
      return showTokens(app, reply, session, { created })
    }),
  )
  server.post(
    path,
    withSession((request, reply, session) => create(app, request, reply, session)),
  )
  server.post(
    `${path}/:id/revoke`,
    withSession(async (request, reply, { user }) => {
      await revokeUserToken(app, { userId: user.id, kind, id: rowId(request.params) })
      return reply.redirect(path, 302)
    }),
  )
}

async function create(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Promise<FastifyReply> {
  const form = readForm(request.body)
  try {
    const { token } = await createToken(app, {
      userId: session.user.id,
      kind,
      name: form.name,
      scopes: onlyOffered(offeredScopes(session.user, tokenScopes), form.scopes),
      expiresOn: form.expiresOn === '' ? null : form.expiresOn,
    })
    // Redirect after POST: reloading the page must not create a second token.
    setShownOnce({ app, request, reply, session, path }, { name: form.name, secret: token })
    return reply.redirect(path, 302)
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'validation_failed') throw error
    const formErrors = formErrorsOf(error.detail.fields, fieldLabels, 'token_name')
    return showTokens(app, reply, session, { status: 422, form, formErrors })
  }
}

function readForm(body: unknown): TokenForm {
  const at = 'personal_access_token'
  return {
    name: formText(body, at, 'name').trim(),
    scopes: formTexts(body, at, 'scopes'),
    expiresOn: formText(body, at, 'expires_at').trim(),
  }
}

const fieldLabels: Readonly<Record<string, FieldLabel>> = {
  name: { field: 'token_name', label: 'The name' },
  scopes: { field: 'token_scope_api', label: 'The list of scopes' },
  expires_at: { field: 'token_expires_at', label: 'The expiry' },
}

async function showTokens(
  app: App,
  reply: FastifyReply,
  session: Session,
  { status, form, formErrors = [], created }: TokenPage,
): Promise<FastifyReply> {
  const filter = { userId: session.user.id, kind, state: 'active', now: app.now() } as const
  const tokens = await listTokens(app.db, filter, { page: 1, perPage: 1000 })
  const body = html`${created && newTokenNotice(created)}${errorSummary(formErrors)}
${tokenForm(session, form ?? { name: '', scopes: [], expiresOn: '' }, formErrors)}
${tokenList(tokens.items, session)}`
  return sendPage(reply, {
    title: 'Personal access tokens',
    settings: 'Access tokens',
    body,
    session,
    ...(status === undefined ? {} : { status }),
  })
}

function newTokenNotice({ name, secret }: ShownOnce): Html {
  const title = `Your new token “${name}”`
  return shownOnce({ title, id: 'created-personal-access-token', secret })
}

function tokenForm(session: Session, form: TokenForm, formErrors: readonly FormError[]): Html {
  const scopes = scopeChoices({
    prefix: 'token',
    name: 'personal_access_token[scopes][]',
    legend: 'Scopes: what the token may do',
    offered: offeredScopes(session.user, tokenScopes),
    texts: scopeTexts,
    ticked: form.scopes,
    formErrors,
  })
  return html`<form method="post" action="${path}">
<h2>New token</h2>
${csrfField(session)}
${textField({ id: 'token_name', name: 'personal_access_token[name]', label: 'Name', type: 'text', value: form.name, hint: 'What it is for.', autocomplete: 'off', required: true, formErrors })}
${textField({ id: 'token_expires_at', name: 'personal_access_token[expires_at]', label: 'Expires on', type: 'date', value: form.expiresOn, hint: 'The token expires at the start of this day, UTC. Leave empty for a token that never expires.', formErrors })}
${scopes}
<p><button class="primary" type="submit">Create the token</button></p>
</form>`
}

function tokenList(tokens: readonly TokenRow[], session: Session): Html {
  const title = 'Active tokens'
  if (tokens.length === 0) return card({ title, body: html`<p>No active tokens.</p>` })
  const items = tokens.map((token) => tokenItem(token, session))
  return card({ title, body: rows(items), isFlush: true })
}

function tokenItem(token: TokenRow, session: Session): Html {
  const created = new Date(token.createdAt).toISOString().slice(0, 10)
  const scopes = fromJsonText<string[]>(token.scopes).join(', ')
  return row({
    title: html`<strong class="title">${token.name}</strong>`,
    details: html`${scopes} · created ${created} · ${token.expiresOn === null ? 'never expires' : `expires ${token.expiresOn}`}`,
    end: actionButton(session, {
      action: `${path}/${token.id}/revoke`,
      text: 'Revoke',
      label: `Revoke ${token.name}`,
      kind: 'danger',
    }),
  })
}
