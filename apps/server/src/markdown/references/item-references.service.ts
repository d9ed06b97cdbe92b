import type { ReferenceTarget } from '@stithy/core'
import { webUrl } from '../../http/urls.ts'
import { issuePath } from '../../issues/issue.presenter.ts'
import {
  findItemsIn,
  type ItemReference,
  type ReferableItem,
} from '../../mentions/named-items.service.ts'
import type { ResolvedReference } from '../rendering/render-context.ts'
import { type Found, placeOf, type Reader, shortPath, type Wanted } from './reference-place.ts'

type ItemTarget = Extract<ReferenceTarget, { kind: ReferableItem['type'] }>

/** Issues, merge requests, snippets and epics. A constant number of queries. */
export async function findItemReferences(
  reader: Reader,
  wanted: Wanted<ItemTarget>,
): Promise<Found> {
  const { app, caller, project } = reader
  const context = { project, group: undefined, around: project?.row.namespaceFullPath }
  // Where they stand in the text is of no account here.
  const references = [...wanted.values()].map(
    (target): ItemReference => ({ ...target, start: 0, end: 0, text: '' }),
  )
  const items = await findItemsIn(app, caller, context, references)
  const byPlace = new Map(items.map((item) => [placeAndNumber(item), item]))
  const found: Found = new Map()
  for (const [key, target] of wanted) {
    const item = byPlace.get(`${target.kind} ${placeOfItem(target, reader)} ${target.id}`)
    if (item !== undefined) found.set(key, present(reader, item, target.noteId))
  }
  return found
}

function placeOfItem(target: ItemTarget, reader: Reader): string | undefined {
  if (target.kind !== 'epic') return placeOf(target, reader)
  return (target.path ?? reader.project?.row.namespaceFullPath)?.toLowerCase()
}

function pathOf(item: ReferableItem): string {
  if (item.type === 'epic') return item.group.row.fullPath
  return item.project?.row.fullPath ?? ''
}

function numberOf(item: ReferableItem): number {
  return item.type === 'snippet' ? item.row.id : item.row.iid
}

function placeAndNumber(item: ReferableItem): string {
  return `${item.type} ${pathOf(item).toLowerCase()} ${numberOf(item)}`
}

const signs = { issue: '#', merge_request: '!', snippet: '$', epic: '&' } as const

function present(
  reader: Reader,
  item: ReferableItem,
  noteId: number | undefined,
): ResolvedReference {
  const around = reader.project?.row.namespaceFullPath
  const path = pathOf(item)
  const near = item.type === 'epic' ? (path === around ? '' : path) : shortPath(path, reader)
  const note = noteId === undefined ? '' : ` (comment ${noteId})`
  const anchor = noteId === undefined ? '' : `#note_${noteId}`
  return {
    kind: item.type,
    href: webUrl(reader.app.config, addressOf(item)) + anchor,
    title: item.row.title,
    text: `${near}${signs[item.type]}${numberOf(item)}${note}`,
    data: {
      ...(item.type === 'epic'
        ? { group: item.row.groupId }
        : { project: item.project?.row.id ?? 0 }),
      [item.type.replace('_', '-')]: item.row.id,
      ...(item.type !== 'snippet' && { iid: item.row.iid }),
    },
  }
}

function addressOf(item: ReferableItem): string {
  if (item.type === 'issue') return issuePath(item.row)
  if (item.type === 'epic') return `groups/${pathOf(item)}/-/epics/${item.row.iid}`
  const kind = item.type === 'snippet' ? 'snippets' : 'merge_requests'
  return `${pathOf(item)}/${kind}/${numberOf(item)}`
}
