import type { SideLink } from '../../platform/design/side-navigation.ts'
import type { FailedForm } from '../../platform/forms/form-view.ts'
import type { Html } from '../../platform/html/html.ts'
import type { PageCall, Viewer } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { sidedPage } from '../../platform/pages/sided-page.ts'
import { signInAddress } from '../../platform/pages/sign-in-address.ts'

/** The addresses of the settings of a user, by name. */
export const profilePages = {
  Profile: '/-/profile',
  Account: '/-/profile/account',
  'E-mail addresses': '/-/profile/emails',
  Password: '/-/profile/password/new',
  'Two-factor authentication': '/-/profile/two_factor_auth',
  'SSH keys': '/-/profile/keys',
  'GPG keys': '/-/profile/gpg_keys',
  'Access tokens': '/-/profile/personal_access_tokens',
  Applications: '/oauth/applications',
  Notifications: '/-/profile/notifications',
  Preferences: '/-/profile/preferences',
} as const

export type ProfilePage = keyof typeof profilePages

interface ProfileBody {
  title: ProfilePage
  body: Html
  failed?: FailedForm | undefined
}

/** The links between the settings of a user. */
export function profileLinks(current: ProfilePage): SideLink[] {
  return Object.entries(profilePages).map(([text, href]) => ({
    text,
    href,
    isCurrent: text === current,
  }))
}

/** A page of the viewer's settings, with links to the others. */
export function profilePage({ title, body, failed }: ProfileBody): Reply {
  const links = profileLinks(title)
  return sidedPage({ title, of: 'Settings', label: 'Settings', links, failed, body })
}

/** The viewer of a page that is for users; visitors are sent to sign in. */
export async function withViewer(
  call: PageCall,
  show: (viewer: Viewer) => Promise<Reply> | Reply,
): Promise<Reply> {
  const viewer = await call.viewer()
  return viewer === null ? redirect(signInAddress(call)) : show(viewer)
}
