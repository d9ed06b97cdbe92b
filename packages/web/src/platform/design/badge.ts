import { css } from '../html/css.ts'
import { type Html, html } from '../html/html.ts'
import { labelDot } from '../text/label-dot.ts'
import { icon } from './icon.ts'
import type { IconName } from './icon-paths.ts'

export const badgeStyle = css`
.badge { display: inline-flex; gap: .3em; align-items: center; font-size: .75rem; font-weight: 600; line-height: 1.125rem; padding: 0 .5rem; border-radius: 1rem; border: 1px solid var(--line); color: var(--muted); white-space: nowrap; }
.badge.good { color: var(--good); border-color: currentColor; }
.badge.danger { color: var(--danger); border-color: currentColor; }
.badge.warning { color: var(--warning); border-color: currentColor; }
.badge.merged { color: var(--merged); border-color: currentColor; }
.badge.large { font-size: .875rem; line-height: 1.5rem; padding: 0 .75rem; }
.count { font-size: .75rem; font-weight: 600; background: var(--raised); color: var(--muted); border-radius: 1rem; padding: 0 .4rem; font-variant-numeric: tabular-nums; }
.label { display: inline-flex; align-items: center; gap: .35em; font-size: .75rem; font-weight: 600; line-height: 1.125rem; padding: 0 .5rem; border-radius: 1rem; background: var(--raised); color: var(--text); border: 1px solid var(--line); max-width: 100%; }
.label:hover { text-decoration: none; border-color: var(--edge); }
.label svg { width: .6rem; height: .6rem; flex: none; }
`

export type BadgeKind = 'good' | 'danger' | 'warning' | 'merged' | ''

/** A state or property in a pill. */
export function badge(text: string, kind: BadgeKind = '', name?: IconName): Html {
  return html`<span class="badge ${kind}">${name !== undefined && icon(name)}${text}</span>`
}

const states: Readonly<Record<string, { text: string; kind: BadgeKind; icon: IconName }>> = {
  'issue opened': { text: 'Open', kind: 'good', icon: 'issue-opened' },
  'issue closed': { text: 'Closed', kind: 'merged', icon: 'issue-closed' },
  'merge_request opened': { text: 'Open', kind: 'good', icon: 'git-pull-request' },
  'merge_request locked': { text: 'Merging', kind: 'warning', icon: 'git-merge' },
  'merge_request merged': { text: 'Merged', kind: 'merged', icon: 'git-merge' },
  'merge_request closed': { text: 'Closed', kind: 'danger', icon: 'git-pull-request-closed' },
  'epic opened': { text: 'Open', kind: 'good', icon: 'milestone' },
  'epic closed': { text: 'Closed', kind: 'merged', icon: 'milestone' },
  'milestone active': { text: 'Open', kind: 'good', icon: 'milestone' },
  'milestone closed': { text: 'Closed', kind: 'merged', icon: 'milestone' },
}

export type ItemType = 'issue' | 'merge_request' | 'epic' | 'milestone'

/** The state of an issue, merge request, epic or milestone. */
export function stateBadge(type: ItemType, state: string): Html {
  const known = states[`${type} ${state}`]
  return known === undefined ? badge(state) : badge(known.text, known.kind, known.icon)
}

/** The same as an icon with its name, for lists. */
export function stateIcon(type: ItemType, state: string): Html | undefined {
  const known = states[`${type} ${state}`]
  return known && html`<span class="state ${known.kind}">${icon(known.icon, known.text)}</span>`
}

/** A number behind the name of a tab or list. */
export function count(value: number): Html {
  return html`<span class="count">${value}</span>`
}

interface LabelView {
  name: string
  /** `#rrggbb` */
  color?: string | undefined
  href?: string
  description?: string | null
}

/** A label of an issue. */
export function label({ name, color, href, description }: LabelView): Html {
  const dot = color !== undefined && labelDot(color)
  const title = description ? html` title="${description}"` : undefined
  return href === undefined
    ? html`<span class="label"${title}>${dot}${name}</span>`
    : html`<a class="label" href="${href}"${title}>${dot}${name}</a>`
}
