import type { UserProfile, UserStatus } from '@stithy/core'
import { avatar } from '../../platform/design/avatar.ts'
import { badge } from '../../platform/design/badge.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { tabs } from '../../platform/design/navigation.ts'
import { type Fact, profileHeader } from '../../platform/design/profile-header.ts'
import { prose } from '../../platform/design/prose.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { address } from '../../platform/text/addresses.ts'
import { shortDay } from '../../platform/text/time.ts'

/** A user, as the pages about them have it. */
export interface ViewedUser {
  profile: UserProfile
  status: UserStatus
  /** The emoji of the status as HTML of the API; '' without one. */
  emojiHtml: string
  isSelf: boolean
}

/** Who the user is, above every page about them. */
export function userHeader({ profile, status, emojiHtml, isSelf }: ViewedUser): Html {
  return profileHeader({
    picture: avatar(profile, 'huge'),
    title: html`${profile.name} ${profile.state !== 'active' && badge(profile.state, 'danger')}`,
    body: html`<p class="muted">@${profile.username}</p>
${emojiHtml !== '' && html`<div class="status">${prose(emojiHtml)}${prose(status.message_html)}</div>`}
${profile.bio && html`<p>${profile.bio}</p>`}`,
    facts: factsOf(profile),
    end: isSelf ? buttonLink('/-/profile', 'Edit profile') : undefined,
  })
}

function factsOf(profile: UserProfile): Fact[] {
  const { public_email: email, created_at: created } = profile
  const facts: Fact[] = [
    { icon: 'globe', label: 'Location', value: profile.location ?? '' },
    { icon: 'organization', label: 'Organization', value: profile.organization },
    { icon: 'link', label: 'Website', value: website(profile.website_url) },
    {
      icon: 'mail',
      label: 'E-mail',
      value: email === '' ? '' : html`<a href="mailto:${email}">${email}</a>`,
    },
    {
      icon: 'calendar',
      label: 'Member since',
      value: created === undefined ? '' : shortDay(created),
    },
  ]
  return facts.filter(({ value }) => value !== '')
}

/** A link, if the text is an address of the web. */
function website(text: string): Html | string {
  const url = URL.parse(/^[a-z]+:/i.test(text) ? text : `https://${text}`)
  if (url === null || text === '') return text
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return text
  return html`<a href="${url.href}" rel="nofollow noopener noreferrer me">${text}</a>`
}

export type UserTab = 'activity' | 'projects' | 'groups' | 'starred'

/** What of other users the API doesn't tell is shown to themselves alone. */
export function userTabs({ profile, isSelf }: ViewedUser, current: UserTab): Html {
  const { username } = profile
  const all: [UserTab, string, string][] = [
    ['activity', 'Activity', address(username)],
    ['projects', 'Personal projects', address('users', username, 'projects')],
    ['groups', 'Groups', address('users', username, 'groups')],
    ['starred', 'Starred projects', address('users', username, 'starred')],
  ]
  const shown = isSelf ? all : all.slice(0, 2)
  return tabs(
    'Pages of the user',
    shown.map(([name, text, href]) => ({ text, href, isCurrent: name === current })),
  )
}
