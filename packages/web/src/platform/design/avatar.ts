import { css } from '../html/css.ts'
import { type Html, html } from '../html/html.ts'
import { localPath } from '../text/addresses.ts'

export const avatarStyle = css`
.avatar { display: inline-block; width: 1.5rem; height: 1.5rem; border-radius: 50%; vertical-align: middle; flex: none; background: var(--raised); color: var(--muted); font-size: .6875rem; font-weight: 700; line-height: 1.5rem; text-align: center; overflow: hidden; text-transform: uppercase; }
.avatar.square { border-radius: var(--radius); }
.avatar.small { width: 1.125rem; height: 1.125rem; line-height: 1.125rem; font-size: .5625rem; }
.avatar.large { width: 3rem; height: 3rem; line-height: 3rem; font-size: 1.25rem; }
.avatar.huge { width: 6rem; height: 6rem; line-height: 6rem; font-size: 2.5rem; }
.person { display: inline-flex; gap: .4em; align-items: center; }
.person:hover { text-decoration: none; }
.person > .name { text-decoration: underline color-mix(in srgb, currentColor 40%, transparent); }
.person:hover > .name { text-decoration: underline; }
`

interface Owner {
  name: string
  avatar_url?: string | null | undefined
}

export type AvatarSize = 'small' | '' | 'large' | 'huge'

/** The picture of a user, or the first letter of the name. Decoration: the name stands beside it. */
export function avatar({ name, avatar_url: url }: Owner, size: AvatarSize = '', shape = ''): Html {
  if (url) {
    return html`<img class="avatar ${size} ${shape}" src="${localPath(url)}" alt="" loading="lazy">`
  }
  const [letter = '?'] = name
  return html`<span class="avatar ${size} ${shape}" aria-hidden="true">${letter}</span>`
}

/** The picture of a project or group. */
export function squareAvatar(owner: Owner, size: AvatarSize = ''): Html {
  return avatar(owner, size, 'square')
}

/** A link with a picture before its text, which alone is underlined. */
export function pictured(href: string, picture: Html, name: string): Html {
  return html`<a class="person" href="${href}">${picture}<span class="name">${name}</span></a>`
}

interface Person extends Owner {
  username: string
}

/** A link to a user, with picture and name. */
export function person(user: Person): Html {
  return pictured(`/${encodeURIComponent(user.username)}`, avatar(user, 'small'), user.name)
}
