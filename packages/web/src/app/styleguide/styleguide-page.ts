import { heading } from '../../platform/design/heading.ts'
import { tabs } from '../../platform/design/navigation.ts'
import { html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { withQuery } from '../../platform/text/addresses.ts'
import { actionSpecimens } from './action-specimens.ts'
import { badgeSpecimens } from './badge-specimens.ts'
import { codeSpecimens } from './code-specimens.ts'
import { discussionSpecimens } from './discussion-specimens.ts'
import { formSpecimens } from './form-specimens.ts'
import { foundationSpecimens } from './foundation-specimens.ts'
import { layoutSpecimens } from './layout-specimens.ts'
import { listSpecimens } from './list-specimens.ts'
import { navigationSpecimens } from './navigation-specimens.ts'
import { plotSpecimens } from './plot-specimens.ts'
import { scriptSpecimens } from './script-specimens.ts'
import { familySection, specimenAddress } from './specimen.ts'

/** The colours that the components are shown in: those of the browser, or these. */
const themes = [
  { value: 'auto', text: 'Automatic' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
] as const

/** `GET /-/styleguide`: every component of the pages in each of its states; `?theme=` chooses the colours of the page. */
export async function showStyleguide(call: PageCall): Promise<Reply> {
  const asked = call.query.get('theme')
  const { value: theme } = themes.find(({ value }) => value === asked) ?? themes[0]
  const families = [
    foundationSpecimens(),
    layoutSpecimens(),
    actionSpecimens(call),
    badgeSpecimens(),
    navigationSpecimens(),
    listSpecimens(call),
    formSpecimens(),
    codeSpecimens(),
    discussionSpecimens(call),
    plotSpecimens(call),
    scriptSpecimens(),
  ]
  const links = themes.map(({ value, text }) => ({
    text,
    href: withQuery(specimenAddress, { theme: value }),
    isCurrent: value === theme,
  }))
  const contents = families.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  return page({
    title: 'Style guide',
    theme,
    body: html`${heading('Style guide')}
<p>The components of the pages, in each of their states.</p>
${tabs('Colours', links)}
<nav aria-label="Contents"><ul class="plain row">${contents}</ul></nav>
<div class="styleguide">${families.map(familySection)}</div>`,
  })
}
