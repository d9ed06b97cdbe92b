import { type Html, html } from '@stithy/web'
import type { FastifyReply } from 'fastify'
import {
  bannersAbove,
  bannersBelow,
  frameStyle,
  frameStyleSource,
  type PageFrame,
  pageFrame,
} from '../appearance/page-frame.ts'
import type { Session } from '../authentication/session.ts'
import { returnParameter } from './return-path.ts'
import { stylesheetPath } from './stylesheet.ts'

/** A validation error, with the id of the field that it is about. */
export interface FormError {
  field: string
  text: string
}

export interface Page {
  title: string
  body: Html
  /** The session, when signed in. */
  session?: Session | undefined
  status?: number
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
  const frame = pageFrame(reply)
  return reply
    .code(page.status ?? 200)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy(frameStyle(frame)),
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    .send(layout(page, frame).text)
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
}

/** The hidden field with the path to return to. */
export function returnField(path: string): Html {
  return html`<input type="hidden" name="${returnParameter}" value="${path}">`
}

/** Error summary above a form, with links to the fields. */
export function errorSummary(formErrors: readonly FormError[]): Html | undefined {
  if (formErrors.length === 0) return undefined
  const items = formErrors.map(({ field, text }) => html`<li><a href="#${field}">${text}</a></li>`)
  return html`<section class="summary" role="alert" aria-labelledby="summary-title">
<h2 id="summary-title">That did not work</h2>
<ul>${items}</ul>
</section>`
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

interface Field {
  id: string
  name: string
  label: string
  value?: string
  hint?: string
  required?: boolean
  formErrors?: readonly FormError[]
}

export interface InputField extends Field {
  type: 'text' | 'password' | 'date'
  autocomplete?: string
}

/** A labelled field with hint and errors, both associated with it for screen readers. */
export function inputField({ type, autocomplete, ...field }: InputField): Html {
  return labelled(
    field,
    (attributes) => html`<input ${attributes} type="${type}" value="${field.value ?? ''}"
${autocomplete && html`autocomplete="${autocomplete}"`}>`,
  )
}

/** Like `inputField`, for a text of several lines. */
export function textAreaField(field: Field): Html {
  // A line break after the tag is not part of the text.
  return labelled(
    field,
    (attributes) => html`<textarea ${attributes} rows="3">
${field.value ?? ''}</textarea>`,
  )
}

/** @param control builds the element with its attributes */
function labelled(field: Field, control: (attributes: Html) => Html): Html {
  const { id, hint, formErrors = [] } = field
  const wrong = formErrors.find((formError) => formError.field === id)
  const described = [hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(' ')
  return html`<div class="field">
<label for="${id}">${field.label}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${wrong && html`<p class="wrong" id="${id}-wrong">${wrong.text}</p>`}
${control(html`id="${id}" name="${field.name}"
${described !== '' && html`aria-describedby="${described}"`}
${wrong && html`aria-invalid="true"`}
${field.required && html`required`}`)}
</div>`
}
