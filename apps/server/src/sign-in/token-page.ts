import { DomainError, type TokenScope, tokenScopes } from '@stithy/core'
import { fromJsonText, listTokens, type TokenRow } from '@stithy/store'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { CallerUser } from '../authentication/caller.ts'
import type { Session } from '../authentication/session.ts'
import { createToken, endToken } from '../tokens/token.service.ts'
import { signedIn } from './browser.ts'
import { formText, formTexts } from './form.ts'
import { type Html, html } from './html.ts'
import { handOver, type NewToken, tokenPagePath as path, takeOver } from './new-token.ts'
import { errorSummary, hiddenToken, inputField, type Mistake, sendPage } from './page.ts'

const kind = 'personal'

const scopeTexts: Readonly<Record<TokenScope, string>> = {
  api: 'everything that you may do through the API, and Git',
  read_user: 'reading your account, users and events',
  sudo: 'acting as any other user',
  read_repository: 'Git: clone and fetch',
  write_repository: 'Git: clone, fetch and push',
}

/** What a form to be shown again had in it. */
interface TokenForm {
  name: string
  scopes: readonly string[]
  expiresOn: string
}

interface TokenPage {
  status?: number
  form?: TokenForm
  mistakes?: readonly Mistake[]
  /** Shown this once. */
  created?: NewToken | undefined
}

/** The own personal access tokens: a list, a form for new ones, and their end. */
export function registerTokenPage(server: FastifyInstance, app: App): void {
  server.get(
    path,
    signedIn(app, async (request, reply, session) => {
      const created = await takeOver(app, request, reply, session)
      return showTokens(app, reply, session, { created })
    }),
  )
  server.post(
    path,
    signedIn(app, (request, reply, session) => create(app, request, reply, session)),
  )
  server.post(
    `${path}/:id/revoke`,
    signedIn(app, async (request, reply, { user }) => {
      const { id } = request.params as { id: string }
      if (!/^\d{1,15}$/.test(id)) throw new DomainError('not_found')
      await endToken(app, { userId: user.id, kind, id: Number(id) })
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
      scopes: allowed(session.user, form.scopes),
      expiresOn: form.expiresOn === '' ? null : form.expiresOn,
    })
    // By way of a redirect: a page that is loaded again makes no second token.
    handOver(app, request, reply, token)
    return reply.redirect(path, 302)
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'validation_failed') throw error
    const mistakes = mistakesOf(error.detail.fields ?? {})
    return showTokens(app, reply, session, { status: 422, form, mistakes })
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

/** Only administrators may act as others, so nobody else is offered that. */
function offeredScopes(user: CallerUser): TokenScope[] {
  return tokenScopes.filter((scope) => scope !== 'sudo' || user.admin)
}

/** A scope that was not offered becomes one that does not exist, which is refused with the others. */
function allowed(user: CallerUser, scopes: readonly string[]): string[] {
  const offered: readonly string[] = offeredScopes(user)
  return scopes.map((scope) => (offered.includes(scope) ? scope : ''))
}

const fieldTexts: Readonly<Record<string, { field: string; label: string }>> = {
  name: { field: 'token_name', label: 'The name' },
  scopes: { field: 'token_scope_api', label: 'The list of scopes' },
  expires_at: { field: 'token_expires_at', label: 'The date' },
}

function mistakesOf(fields: Record<string, string[]>): Mistake[] {
  return Object.entries(fields).map(([name, texts]) => {
    const { field, label } = fieldTexts[name] ?? { field: 'token_name', label: name }
    return { field, text: `${label} ${texts.join(', ')}.` }
  })
}

async function showTokens(
  app: App,
  reply: FastifyReply,
  session: Session,
  { status, form, mistakes = [], created }: TokenPage,
): Promise<FastifyReply> {
  const filter = { userId: session.user.id, kind, state: 'active', now: app.now() } as const
  const tokens = await listTokens(app.db, filter, { page: 1, perPage: 1000 })
  const body = html`${created && newToken(created)}${errorSummary(mistakes)}
${tokenForm(session, form ?? { name: '', scopes: [], expiresOn: '' }, mistakes)}
<section aria-labelledby="active-title">
<h2 id="active-title">Active tokens</h2>
${tokenList(tokens.items, session)}
</section>`
  return sendPage(reply, {
    title: 'Personal access tokens',
    body,
    session,
    ...(status === undefined ? {} : { status }),
  })
}

function newToken({ name, token }: NewToken): Html {
  return html`<section class="notice" role="status">
<h2>Your new token “${name}”</h2>
<p><code id="created-personal-access-token">${token}</code></p>
<p>Copy it now: it is not shown again.</p>
</section>`
}

function tokenForm(session: Session, form: TokenForm, mistakes: readonly Mistake[]): Html {
  const wrong = mistakes.find((mistake) => mistake.field === 'token_scope_api')
  const choices = offeredScopes(session.user).map((scope) => scopeChoice(scope, form.scopes))
  return html`<form method="post" action="${path}">
<h2>New token</h2>
${hiddenToken(session.csrfToken)}
${inputField({ id: 'token_name', name: 'personal_access_token[name]', label: 'Name', type: 'text', value: form.name, hint: 'What it is for.', autocomplete: 'off', required: true, mistakes })}
${inputField({ id: 'token_expires_at', name: 'personal_access_token[expires_at]', label: 'Expires on', type: 'date', value: form.expiresOn, hint: 'It ends at the start of this day, UTC. Leave it empty for a token without end.', mistakes })}
<fieldset ${wrong && html`aria-describedby="token_scopes-wrong"`}>
<legend>Scopes: what the token may do</legend>
${wrong && html`<p class="wrong" id="token_scopes-wrong">${wrong.text}</p>`}
${choices}
</fieldset>
<p><button type="submit">Create the token</button></p>
</form>`
}

function scopeChoice(scope: TokenScope, ticked: readonly string[]): Html {
  const id = `token_scope_${scope}`
  return html`<div class="choice">
<input id="${id}" name="personal_access_token[scopes][]" type="checkbox" value="${scope}" ${ticked.includes(scope) && html`checked`}>
<label for="${id}"><code>${scope}</code>: ${scopeTexts[scope]}</label>
</div>`
}

function tokenList(tokens: readonly TokenRow[], session: Session): Html {
  if (tokens.length === 0) return html`<p>There are none.</p>`
  return html`<ul class="tokens">${tokens.map((token) => tokenItem(token, session))}</ul>`
}

function tokenItem(token: TokenRow, session: Session): Html {
  const created = new Date(token.createdAt).toISOString().slice(0, 10)
  const scopes = fromJsonText<string[]>(token.scopes).join(', ')
  return html`<li>
<p><strong>${token.name}</strong></p>
<p class="hint">${scopes} · created ${created} · ${token.expiresOn === null ? 'no end' : `ends ${token.expiresOn}`}</p>
<form method="post" action="${path}/${token.id}/revoke">
${hiddenToken(session.csrfToken)}
<button class="danger" type="submit" aria-label="Revoke ${token.name}">Revoke</button>
</form>
</li>`
}
