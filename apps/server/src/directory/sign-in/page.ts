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
  const { title, body, session, status = 200, settings } = page
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
    .send(renderServerPage({ title, body, status, viewer, csrfToken, frame, settings }))
}

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
