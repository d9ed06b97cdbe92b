import {
  type AvatarSize,
  avatar,
  person,
  pictured,
  squareAvatar,
} from '../../platform/design/avatar.ts'
import {
  type BadgeKind,
  badge,
  count,
  type ItemType,
  label,
  stateBadge,
  stateIcon,
} from '../../platform/design/badge.ts'
import { html } from '../../platform/html/html.ts'
import { kim, labels, noor } from './samples.ts'
import { type Family, specimen, specimenAddress } from './specimen.ts'

const kinds: readonly BadgeKind[] = ['', 'good', 'danger', 'warning', 'merged']
const sizes: readonly AvatarSize[] = ['small', '', 'large', 'huge']
const states: readonly (readonly [ItemType, string])[] = [
  ['issue', 'opened'],
  ['issue', 'closed'],
  ['merge_request', 'opened'],
  ['merge_request', 'locked'],
  ['merge_request', 'merged'],
  ['merge_request', 'closed'],
  ['epic', 'opened'],
  ['epic', 'closed'],
  ['milestone', 'active'],
  ['milestone', 'closed'],
]

/** States, labels, counts and pictures. */
export function badgeSpecimens(): Family {
  return {
    id: 'badges',
    title: 'Badges, labels and pictures',
    specimens: [
      specimen(
        'Badges',
        html`<div class="row">${kinds.map((kind) => badge(kind === '' ? 'default' : kind, kind))}${badge('private', '', 'lock')}</div>`,
      ),
      specimen(
        'States of issues, merge requests, epics and milestones',
        html`<div class="row">${states.map(([type, state]) => stateBadge(type, state))}</div>`,
      ),
      specimen(
        'The same in lists',
        html`<div class="row">${states.map(([type, state]) => stateIcon(type, state) ?? html``)}</div>`,
      ),
      specimen('Count', html`Commits ${count(42)}`),
      specimen(
        'Labels: a text, a link with a description, without a colour',
        html`<div class="row">${label(labels.docs)}${label({ ...labels.bug, href: specimenAddress })}${label({ name: 'plain' })}</div>`,
      ),
      specimen(
        'Pictures of users, without an image',
        html`<div class="row">${sizes.map((size) => avatar(kim, size))}</div>`,
      ),
      specimen(
        'Pictures of projects and groups',
        html`<div class="row">${sizes.map((size) => squareAvatar({ name: 'App' }, size))}</div>`,
      ),
      specimen('User', html`<p>${person(noor)}</p>`),
      specimen(
        'Link with a picture',
        html`<p>${pictured(specimenAddress, squareAvatar({ name: 'App' }, 'small'), 'group/app')}</p>`,
      ),
    ],
  }
}
