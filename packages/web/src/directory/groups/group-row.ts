import type { Group } from '@stithy/core'
import { squareAvatar } from '../../platform/design/avatar.ts'
import { icon } from '../../platform/design/icon.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { address } from '../../platform/text/addresses.ts'
import { visibilityIcons } from '../projects/project-row.ts'

/** A list of groups. */
export function groupRows(groups: readonly Group[]): Html {
  return rows(groups.map(groupRow))
}

function groupRow(group: Group): Html {
  const { full_path: path } = group
  const end = path.lastIndexOf('/') + 1
  return row({
    start: squareAvatar(group),
    title: html`<a class="title" href="${address(path)}"><span class="within">${path.slice(0, end)}</span>${path.slice(end)}</a> <span class="muted small">${icon(visibilityIcons[group.visibility], group.visibility)}</span>`,
    details: html`${group.name.toLowerCase() !== group.path.toLowerCase() && html`<span>${group.name}</span>`}${group.description !== '' && html`<span>${group.description}</span>`}`,
  })
}
