import { type ProfilePage, profileLinks } from '../directory/users/profile-frame.ts'
import { heading } from '../platform/design/heading.ts'
import { withSideNavigation } from '../platform/design/side-navigation.ts'
import { type Html, html } from '../platform/html/html.ts'
import { type Frame, renderDocument, type SiteUser } from '../platform/layout/document.ts'
import { page } from '../platform/pages/reply.ts'
import { iconPath } from './icon.ts'
import { stylesheetPath } from './stylesheet.ts'

/** A page that the server builds itself, because it is not made of the API: sign-in, secrets. */
export interface ServerPage {
  title: string
  /** Its sections and forms are cards. */
  body: Html
  status: number
  /** Who has signed in; null for visitors. */
  viewer: SiteUser | null
  /** That of the session; '' for visitors. */
  csrfToken: string
  frame: Frame
  /** The page of the settings of a user that it is one of. */
  settings?: ProfilePage | undefined
}

/** A whole page, in the design of all others. */
export function renderServerPage(view: ServerPage): string {
  const { title, status, viewer, csrfToken, frame } = view
  return renderDocument({
    reply: page({ title, status, body: bodyOf(view) }),
    call: { address: '', query: new URLSearchParams(), csrfToken },
    viewer,
    frame,
    stylesheetPath,
    iconPath,
  })
}

function bodyOf({ title, body, settings }: ServerPage): Html {
  const content = html`<div class="sheet">${body}</div>`
  const main = html`${heading(title)}${content}`
  if (settings !== undefined) {
    return withSideNavigation('Settings', profileLinks(settings), main)
  }
  return html`<div class="narrow">${main}</div>`
}
