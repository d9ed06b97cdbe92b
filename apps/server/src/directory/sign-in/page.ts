import {
  type FormError,
  type Html,
  html,
  type ProfilePage,
  renderServerPage,
  type ServerPage,
} from '@stithy/web'
import type { FastifyReply } from 'fastify'
import { frameOf, frameStyleSource } from '../appearance/page-frame.ts'
import type { Session } from '../authentication/session.ts'
import { returnParameter } from './return-path.ts'

export interface Page {
  title: string
  body: Html
  /** The session, when signed in. */
  session?: Session | undefined
  status?: number
  /** The page of the settings of a user that it is one of. */
  settings?: ProfilePage
  /** Links between the pages of an area, above the title; the page is as wide as its tables. */
  area?: Html
}

/** @param style the text of the page's own style */
function contentSecurityPolicy(style: string): string {
  return [
    "default-src 'none'",
    `style-src 'self'${frameStyleSource(style)}`,
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Sends a full page. It is never cached: some pages contain secrets, all contain a form token. */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const { title, body, session, status = 200, settings, area } = page
  const frame = frameOf(reply)
  const viewer = session === undefined ? null : viewerOf(session)
  const csrfToken = session?.csrfToken ?? ''
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy(frame.style),
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    .send(renderServerPage({ title, body, status, viewer, csrfToken, frame, settings, area }))
}

function layout({ title, body, session, status = 200 }: Page, frame: PageFrame): Html {
  const { favicon, headerLogo } = frame
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${session && html`<meta name="csrf-token" content="${session.csrfToken}">`}
<title>${status >= 400 && 'Error: '}${title} · Stithy</title>
<link rel="stylesheet" href="${stylesheetPath}">
${favicon !== null && html`<link rel="icon" href="${favicon}">`}
${ownStyle(frame)}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${bannersAbove(frame)}
<header>
<a class="brand" href="/">${headerLogo === null ? 'Stithy' : html`<img src="${headerLogo}" alt="Stithy">`}</a>
${session && account(session)}
</header>
<main id="main" tabindex="-1">
<h1>${title}</h1>
${body}
</main>
${bannersBelow(frame)}
</body>
</html>
`
}

/** The text must be exactly what the content security policy has the hash of. */
function ownStyle(frame: PageFrame): Html | undefined {
  const style = frameStyle(frame)
  return style === '' ? undefined : html`<style>${style}</style>`
}

function account({ user, csrfToken }: Session): Html {
  return html`<span>${user.name}</span>
<form method="post" action="/users/sign_out">
${csrfField(csrfToken)}
<button class="plain" type="submit">Sign out</button>
</form>`
}

/** The hidden field with the CSRF token. */
export function csrfField(token: string): Html {
  return html`<input type="hidden" name="authenticity_token" value="${token}">`
function viewerOf({ user }: Session): ServerPage['viewer'] {
  const { name, username, admin, themeId } = user
  return { name, username, theme_id: themeId, is_admin: admin }
}

/** The hidden field with the path to return to. */
export function returnField(path: string): Html {
  return html`<input type="hidden" name="${returnParameter}" value="${path}">`
}

/** The field that an error of a parameter is about, and what its sentence starts with. */
export interface FieldLabel {
  field: string
  label: string
}

/**
 * Errors of the fields of a form, as sentences.
 * @param labels by parameter; `other` is for those that are not among them
 */
export function formErrorsOf(
  fields: Readonly<Record<string, readonly string[]>> | undefined,
  labels: Readonly<Record<string, FieldLabel>>,
  other: string,
): FormError[] {
  return Object.entries(fields ?? {}).map(([name, texts]) => {
    const { field, label } = labels[name] ?? { field: other, label: name }
    return { field, text: `${label} ${texts.join(', ').replace(/\.$/, '')}.`.trimStart() }
  })
}
