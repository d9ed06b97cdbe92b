import { crumbs, pagination, tabs } from '../../platform/design/navigation.ts'
import { withSideNavigation } from '../../platform/design/side-navigation.ts'
import { html } from '../../platform/html/html.ts'
import { type Family, specimen, specimenAddress } from './specimen.ts'

const href = specimenAddress

/** Links between pages. */
export function navigationSpecimens(): Family {
  return {
    id: 'navigation',
    title: 'Navigation',
    specimens: [
      specimen(
        'Tabs: current, with an icon, with a count',
        tabs('Tabs of the example', [
          { href, text: 'Overview', isCurrent: true },
          { href, text: 'Issues', icon: 'issue-opened' },
          { href, text: 'Merge requests', icon: 'git-pull-request', count: 7 },
        ]),
      ),
      specimen(
        'Path',
        crumbs('Path of the example', [
          { text: 'group', href },
          { text: 'app', href },
          { text: 'README.md' },
        ]),
      ),
      specimen('Pagination: first page', pages(1)),
      specimen('Pagination: between', pages(2)),
      specimen('Pagination: last page', pages(3)),
      specimen(
        'Links beside a page',
        withSideNavigation(
          'Settings of the example',
          [
            { href, text: 'General', isCurrent: true },
            { href, text: 'Repository' },
            { href, text: 'Members' },
          ],
          html`<p>The page.</p>`,
        ),
      ),
    ],
  }
}

function pages(page: number) {
  const position = {
    page,
    totalPages: 3,
    prevPage: page > 1 ? page - 1 : null,
    nextPage: page < 3 ? page + 1 : null,
  }
  return pagination(position, href, new URLSearchParams()) ?? html``
}
