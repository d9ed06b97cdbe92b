import { css } from '../html/css.ts'
import { type Html, html } from '../html/html.ts'
import { icon } from './icon.ts'
import type { IconName } from './icon-paths.ts'

export const profileHeaderStyle = css`
.profile { display: flex; flex-wrap: wrap; gap: var(--space-4); align-items: flex-start; margin: 0 0 var(--space-4); }
.profile > .about { flex: 1 1 16rem; min-width: 0; }
.profile p { margin-bottom: var(--space-1); }
.profile .facts { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); color: var(--muted); list-style: none; padding: 0; margin: var(--space-2) 0 0; font-size: var(--small); }
.profile .status { display: flex; gap: var(--space-2); }
.spaced > li { padding: var(--space-1) 0; }
`

export interface Fact {
  icon: IconName
  /** What it is, for screen readers. */
  label: string
  value: Html | string
}

interface ProfileHeader {
  picture: Html
  title: Html
  body: Html
  facts: readonly Fact[]
  end?: Html | undefined
}

/** Who a person is, above the pages about them. */
export function profileHeader({ picture, title, body, facts, end }: ProfileHeader): Html {
  const items = facts.map((fact) => html`<li>${icon(fact.icon, fact.label)} ${fact.value}</li>`)
  return html`<div class="profile">${picture}<div class="about">
<h1 dir="auto">${title}</h1>
${body}
<ul class="facts">${items}</ul>
</div>${end}</div>`
}
