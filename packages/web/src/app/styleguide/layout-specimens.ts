import { avatar } from '../../platform/design/avatar.ts'
import { badge } from '../../platform/design/badge.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { asideSection, card, columns, type NoticeKind, notice } from '../../platform/design/card.ts'
import { heading } from '../../platform/design/heading.ts'
import { profileHeader } from '../../platform/design/profile-header.ts'
import { shownOnce } from '../../platform/design/shown-once.ts'
import { html } from '../../platform/html/html.ts'
import { kim } from './samples.ts'
import { type Family, specimen, specimenAddress } from './specimen.ts'

const kinds: readonly NoticeKind[] = ['', 'good', 'warning', 'danger']

/** The parts of a page. */
export function layoutSpecimens(): Family {
  const end = buttonLink(specimenAddress, 'Edit')
  return {
    id: 'layout',
    title: 'Parts of a page',
    specimens: [
      specimen('Heading', heading('Branches')),
      specimen('Heading with buttons', heading(html`Release 1.0 ${badge('latest', 'good')}`, end)),
      specimen('Card', card({ body: html`<p>A framed part of a page.</p>` })),
      specimen('Card with a title', card({ title: 'About', end, body: html`<p>Its body.</p>` })),
      specimen(
        'Main part, and what stands beside it',
        columns(card({ body: html`<p>The main part.</p>` }), asideSection('Milestone', 'None')),
      ),
      specimen(
        'Notices',
        html`${kinds.map((kind) => notice(kind === '' ? 'A message.' : `A message: ${kind}.`, kind))}`,
      ),
      specimen(
        'A secret that is shown once',
        shownOnce({ title: 'Your new token', secret: 'an-example-of-a-token' }),
      ),
      specimen('Who a person is', profile()),
    ],
  }
}

function profile() {
  return profileHeader({
    picture: avatar(kim, 'huge'),
    title: html`${kim.name}`,
    body: html`<p class="muted">@${kim.username}</p>`,
    facts: [
      { icon: 'organization', label: 'Organization', value: 'Example' },
      { icon: 'calendar', label: 'Member since', value: '2026' },
    ],
    end: buttonLink(specimenAddress, 'Edit profile'),
  })
}
