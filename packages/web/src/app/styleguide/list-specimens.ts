import { filterBar } from '../../planning/items/filter-bar.ts'
import { parseFilter } from '../../planning/items/filter-text.ts'
import { badge, label, stateIcon } from '../../platform/design/badge.ts'
import { actionButton, buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { filterForm } from '../../platform/design/filter-form.ts'
import { icon } from '../../platform/design/icon.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { html } from '../../platform/html/html.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { hoursAgo, labels } from './samples.ts'
import { type Family, type SpecimenCall, specimen, specimenAddress } from './specimen.ts'

/** Lists, tables and what filters them. */
export function listSpecimens(call: SpecimenCall): Family {
  return {
    id: 'lists',
    title: 'Lists and tables',
    specimens: [
      specimen('Rows', card({ isFlush: true, body: rowList(call) })),
      specimen('Table', card({ title: 'Branches', isFlush: true, body: table(call) })),
      specimen(
        'Filter with a choice',
        filterForm({
          action: specimenAddress,
          label: 'Filter branches of the example',
          search: { name: 'search', value: '' },
          choices: [
            {
              name: 'state',
              label: 'State',
              options: [
                { value: '', text: 'All' },
                { value: 'stale', text: 'Stale' },
              ],
              value: '',
            },
          ],
        }),
      ),
      specimen('Filter with terms and menus', bar()),
      specimen(
        'Empty list',
        card({
          body: emptyState({
            title: 'No branches yet',
            text: 'A push creates the first one.',
            action: buttonLink(specimenAddress, 'New branch', 'primary'),
          }),
        }),
      ),
      specimen(
        'Empty list with commands',
        card({ body: emptyState({ title: 'Nothing here', commands: 'git push origin main' }) }),
      ),
    ],
  }
}

function rowList({ now }: SpecimenCall) {
  const title = (text: string) => html`<a class="title" href="${specimenAddress}">${text}</a>`
  return rows([
    row({
      start: stateIcon('issue', 'opened'),
      title: html`${title('Greets the wrong user')} ${label(labels.bug)}`,
      details: html`<span>#12</span><span>opened ${timeAgo(hoursAgo(now, 30), now)} by Kim Larsen</span>`,
      end: html`<span>${icon('comment', 'Comments')} 4</span>`,
    }),
    row({ start: stateIcon('issue', 'closed'), title: title('A title alone') }),
    row({ title: title('A_long_name_without_a_blank_'.repeat(5)), end: badge('protected') }),
  ])
}

function table(call: SpecimenCall) {
  const { now } = call
  const remove = (name: string) =>
    actionButton(call, {
      action: specimenAddress,
      text: 'Delete',
      label: `Delete ${name}`,
      kind: 'quiet',
    })
  return dataTable({
    label: 'Branches of the example',
    columns: [
      { text: 'Name' },
      { text: 'Updated' },
      { text: 'Ahead', kind: 'number' },
      { text: 'Actions', kind: 'actions' },
    ],
    rows: [
      ['main', timeAgo(hoursAgo(now, 2), now), 0, undefined],
      ['topic', timeAgo(hoursAgo(now, 200), now), 1204, remove('topic')],
    ],
  })
}

function bar() {
  const choices = Object.values(labels).map((each) => ({ value: each.name, text: label(each) }))
  return filterBar({
    self: specimenAddress,
    query: new URLSearchParams(),
    filter: parseFilter('label:bug greeting', new Set(['label'])),
    label: 'Filter issues of the example',
    placeholder: 'Words, label:bug, author:me',
    menus: [{ title: 'Label', name: 'label', choices }],
    sorts: [
      { text: 'Newest', sort: 'created_desc' },
      { text: 'Oldest', sort: 'created_asc' },
    ],
  })
}
