import type { OAuthScope } from '@stithy/core'
import { csrfField, type Html, html } from '@stithy/web'
import type { FastifyReply } from 'fastify'
import type { Session } from '../authentication/session.ts'
import { sendPage } from '../sign-in/page.ts'
import { type AskedAuthorization, authorizePath } from './authorization-request.ts'
import type { Client } from './client-authentication.ts'
import { scopeTexts } from './scope-texts.ts'

/** Asks the user whether an application may have what it asks for. */
export function showConsent(
  reply: FastifyReply,
  session: Session,
  asked: AskedAuthorization,
): FastifyReply {
  const { client, redirectUri } = asked.target
  const body = html`<form method="post" action="${authorizePath}">
${csrfField(session)}
${hiddenFields(asked)}
<p><strong><bdi>${client.name}</bdi></strong>${registrant(client)} asks for access to your account
<strong>${session.user.username}</strong>:</p>
<ul>${asked.scopes.map(scopeItem)}</ul>
<p class="hint">Afterwards you are sent to <code>${redirectUri}</code>. Allow it only if you have just
started this from an application that you know.</p>
<p>
<button class="primary" type="submit" name="decision" value="allow">Allow</button>
<button class="danger" type="submit" name="decision" value="deny">Deny</button>
</p>
</form>`
  return sendPage(reply, { title: `Allow ${client.name}?`, session, body })
}

/** Who vouches for an application: what a user has registered can have any name. */
function registrant({ ownerUsername }: Client): Html | undefined {
  if (ownerUsername === null) return undefined
  return html`, registered by <strong>@${ownerUsername}</strong>,`
}

function scopeItem(scope: OAuthScope): Html {
  return html`<li><code>${scope}</code>: ${scopeTexts[scope]}</li>`
}

/** The request again: the form is checked like the request was. */
function hiddenFields({ target, responseType, scopes, challenge }: AskedAuthorization): Html[] {
  const values = {
    client_id: target.client.uid,
    redirect_uri: target.sentRedirectUri,
    response_type: responseType,
    scope: scopes.join(' '),
    state: target.state,
    code_challenge: challenge?.value,
    code_challenge_method: challenge?.method,
  }
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === null
      ? []
      : [html`<input type="hidden" name="${name}" value="${value}">`],
  )
}
