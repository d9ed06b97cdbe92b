import type { DiffEntry } from '@stithy/core'
import { badge } from '../../platform/design/badge.ts'
import { icon } from '../../platform/design/icon.ts'
import type { IconName } from '../../platform/design/icon-paths.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { plural } from '../../platform/text/numbers.ts'
import { fileAnchor, isBinary, modeChange } from './diff-entry.ts'
import { type DiffSlots, inlineLines, parallelLines } from './diff-lines.ts'
import { countChanges, parseHunks } from './hunks.ts'

export type DiffLayout = 'inline' | 'parallel'

/** Files of a diff, and how they are shown. */
export interface DiffView {
  entries: readonly DiffEntry[]
  layout: DiffLayout
  /** Whether the viewer asked for these files alone: then long diffs are shown as well. */
  isAlone?: boolean
  /** The page that shows one file alone, by its index among the entries. */
  fileAddress?: (entry: DiffEntry, index: number) => string | undefined
  /** The page of the whole file, after the change or, of a deleted one, before it. */
  blobAddress?: (entry: DiffEntry) => string | undefined
  /** Files that the viewer has viewed. */
  isViewed?: (entry: DiffEntry) => boolean
  /** At the end of the header of a file. */
  headerEnd?: (entry: DiffEntry) => Html | undefined
  slots?: DiffSlots
}

/** Lines of diffs of a page; what exceeds them is folded. */
const limits = { file: 600, page: 3000, alone: 8000 } as const

/** The layout that an address asks for with `view=parallel`. */
export function layoutOf(query: URLSearchParams): DiffLayout {
  return query.get('view') === 'parallel' ? 'parallel' : 'inline'
}

/** The files of a diff with their lines, as long as the page stays small. */
export function diffFiles(view: DiffView): Html {
  let left: number = view.isAlone === true ? limits.alone : limits.page
  const most = view.isAlone === true ? limits.alone : limits.file
  const files = view.entries.map((entry, index) => {
    const { added, removed } = countChanges(entry.diff)
    // Lines around them are shown as well.
    const lines = lengthOf(entry.diff)
    const fits = lines <= Math.min(most, left)
    if (fits) left -= lines
    return diffFile(view, entry, index, { added, removed, fits })
  })
  return html`${files}`
}

function lengthOf(diff: string): number {
  let lines = 0
  for (let at = diff.indexOf('\n'); at >= 0; at = diff.indexOf('\n', at + 1)) lines += 1
  return lines
}

interface Counts {
  added: number
  removed: number
  /** Whether the page has room for its lines. */
  fits: boolean
}

function diffFile(view: DiffView, entry: DiffEntry, index: number, counts: Counts): Html {
  const anchor = fileAnchor(entry)
  const blob = view.blobAddress?.(entry)
  const modes = modeChange(entry)
  return html`<section class="card diff-file" id="${anchor}" aria-labelledby="${anchor}-name">
<header>${changeIcon(entry)}<h2 id="${anchor}-name">${fileName(entry)}</h2>
${modes !== undefined && badge(modes)}${changeCounts(counts)}
<div class="end row">${view.headerEnd?.(entry)}${blob !== undefined && html`<a href="${blob}">View file<span class="hidden"> ${entry.new_path}</span></a>`}</div></header>
${fileBody(view, entry, index, counts, anchor)}
</section>`
}

function fileName({ old_path: before, new_path: after, renamed_file: isRenamed }: DiffEntry): Html {
  return isRenamed
    ? html`<code>${before}</code> &rarr; <code>${after}</code>`
    : html`<code>${after}</code>`
}

function fileBody(
  view: DiffView,
  entry: DiffEntry,
  index: number,
  { fits }: Counts,
  anchor: string,
): Html {
  if (view.isViewed?.(entry) === true) return foldedFile('Viewed.', view, entry, index, 'asked')
  if (entry.too_large) {
    return html`<p class="body muted">The changes of this file are too large to be shown.</p>`
  }
  if (entry.collapsed || !fits) return foldedFile('Many changes.', view, entry, index)
  if (isBinary(entry)) return html`<p class="body muted">A binary file.</p>`
  if (entry.diff === '') return html`<p class="body muted">${emptyReason(entry)}</p>`
  const lines = { entry, anchor, hunks: parseHunks(entry.diff), slots: view.slots ?? {} }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Changes of ${entry.new_path}">${view.layout === 'parallel' ? parallelLines(lines) : inlineLines(lines)}</div>`
}

function emptyReason(entry: DiffEntry): string {
  if (entry.renamed_file) return 'Moved without changes.'
  return modeChange(entry) === undefined ? 'An empty file.' : 'Only the mode was changed.'
}

/** @param when whether the script loads the changes once they are seen, or when they are asked for */
function foldedFile(
  reason: string,
  view: DiffView,
  entry: DiffEntry,
  index: number,
  when: 'seen' | 'asked' = 'seen',
): Html {
  const href = view.isAlone === true ? undefined : view.fileAddress?.(entry, index)
  const whole = view.blobAddress?.(entry)
  return html`<p class="body muted">${reason} ${
    href !== undefined
      ? html`<a href="${href}" data-load="${when}">Show the changes<span class="hidden"> of ${entry.new_path}</span></a>`
      : whole !== undefined && html`<a href="${whole}">Show the whole file</a>`
  }</p>`
}

const changeIcons: Readonly<Record<string, [IconName, string]>> = {
  added: ['diff-added', 'Added'],
  removed: ['diff-removed', 'Deleted'],
  renamed: ['diff-renamed', 'Moved'],
  modified: ['diff-modified', 'Changed'],
}

function changeIcon(entry: DiffEntry): Html {
  const change = changeOf(entry)
  const [name, text] = changeIcons[change] ?? ['diff-modified', 'Changed']
  return html`<span class="change ${change}">${icon(name, text)}</span>`
}

function changeOf(entry: DiffEntry): string {
  if (entry.new_file) return 'added'
  if (entry.deleted_file) return 'removed'
  return entry.renamed_file ? 'renamed' : 'modified'
}

/** `+3 −1`, with words for who doesn't see it. */
export function changeCounts({ added, removed }: { added: number; removed: number }): Html {
  return html`<span class="changes"><span class="plus" aria-hidden="true">+${added}</span> <span class="minus" aria-hidden="true">&minus;${removed}</span><span class="hidden">${plural(added, 'line')} added, ${removed} removed</span></span>`
}

/** The names of the files of a diff, each a link to its lines below. */
export function diffFileList(entries: readonly DiffEntry[], label = 'Changed files'): Html {
  const items = entries.map(
    (entry) =>
      html`<li>${changeIcon(entry)} <a href="#${fileAnchor(entry)}">${entry.new_path}</a> ${entry.diff !== '' && !isBinary(entry) && changeCounts(countChanges(entry.diff))}</li>`,
  )
  return html`<details class="card diff-list"${entries.length <= 20 && html` open`}><summary>${label}</summary><ul>${items}</ul></details>`
}
