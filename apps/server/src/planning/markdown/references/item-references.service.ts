import type { ItemReference, ReferenceTarget } from '@stithy/core'
import { webUrl } from '../../../platform/http/urls.ts'
import type { ResolvedReference } from '../../../platform/text/rendering/render-context.ts'
import { issuePath } from '../../issues/issue.presenter.ts'
import {
  findReferencedItemsIn,
  type ReferableItem,
} from '../../mentions/referenced-items.service.ts'
import {
  projectPath,
  type Reader,
  type References,
  type ResolvedReferences,
  shortPath,
} from './reference-parent.ts'

type ItemTarget = Extract<ReferenceTarget, { kind: ReferableItem['type'] }>

/** Resolves issues, merge requests, snippets and epics. A constant number of queries. */
export async function findItemReferences(
  reader: Reader,
  targets: References<ItemTarget>,
): Promise<ResolvedReferences> {
  const { app, caller, project } = reader
  const context = { project, group: undefined, namespacePath: project?.row.namespaceFullPath }
  // The positions in the text are not needed.
  const references = [...targets.values()].map(
    (target): ItemReference => ({ ...target, start: 0, end: 0, text: '' }),
  )
  const items = await findReferencedItemsIn(app, caller, context, references)
  const byKey = new Map(items.map((item) => [itemKey(item), item]))
  const found: ResolvedReferences = new Map()
  for (const [key, target] of targets) {
    const item = byKey.get(`${target.kind} ${parentPath(target, reader)} ${target.id}`)
    if (item !== undefined) found.set(key, present(reader, item, target.noteId))
  }
  return found
}

function parentPath(target: ItemTarget, reader: Reader): string | undefined {
  if (target.kind !== 'epic') return projectPath(target, reader)
  return (target.path ?? reader.project?.row.namespaceFullPath)?.toLowerCase()
}

function pathOf(item: ReferableItem): string {
  if (item.type === 'epic') return item.group.row.fullPath
  return item.project?.row.fullPath ?? ''
}

function numberOf(item: ReferableItem): number {
  return item.type === 'snippet' ? item.row.id : item.row.iid
}

function itemKey(item: ReferableItem): string {
  return `${item.type} ${pathOf(item).toLowerCase()} ${numberOf(item)}`
}

const prefixes = { issue: '#', merge_request: '!', snippet: '$', epic: '&' } as const

function present(
  reader: Reader,
  item: ReferableItem,
  noteId: number | undefined,
): ResolvedReference {
  const namespacePath = reader.project?.row.namespaceFullPath
  const path = pathOf(item)
  const shortenedPath =
    item.type === 'epic' ? (path === namespacePath ? '' : path) : shortPath(path, reader)
  const note = noteId === undefined ? '' : ` (comment ${noteId})`
  const anchor = noteId === undefined ? '' : `#note_${noteId}`
  return {
    kind: item.type,
    href: webUrl(reader.app.config, addressOf(item)) + anchor,
    title: item.row.title,
    text: `${shortenedPath}${prefixes[item.type]}${numberOf(item)}${note}`,
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
