import type { Commit, TreeEntry } from '@stithy/core'
import { icon } from '../../platform/design/icon.ts'
import type { IconName } from '../../platform/design/icon-paths.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'
import type { CodeTarget } from '../revisions/code-target.ts'
import { symbolicLink } from './file-modes.ts'

interface FileTable extends CodeTarget {
  project: string
  entries: readonly TreeEntry[]
  now: number
}

/** The entries of a folder, each with the commit that changed it last. */
export function fileTable({ project, ref, path, entries, now }: FileTable): Html {
  const up =
    path !== '' &&
    html`<tr><td colspan="3"><a href="${projectAddress(project, 'tree', ref, parentOf(path))}" aria-label="Parent folder">${icon('file-directory-fill')} ..</a></td></tr>`
  return html`<table class="files"><thead class="hidden"><tr><th scope="col">Name</th><th scope="col">Last commit</th><th scope="col">Changed</th></tr></thead>
<tbody>${up}${entries.map((entry) => fileRow(project, ref, entry, now))}</tbody></table>`
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0))
}

function fileRow(project: string, ref: string, entry: TreeEntry, now: number): Html {
  return html`<tr><td class="name">${entryIcon(entry)} ${entryLink(project, ref, entry)}</td>${commitCells(project, entry.last_commit, now)}</tr>`
}

function entryLink(project: string, ref: string, { type, name, path, id }: TreeEntry): Html {
  // Where a submodule comes from is written in a file of its own.
  if (type === 'commit') return html`${name} <span class="mono muted">@ ${id.slice(0, 8)}</span>`
  const page = type === 'tree' ? 'tree' : 'blob'
  return html`<a href="${projectAddress(project, page, ref, path)}">${name}</a>`
}

function commitCells(project: string, commit: Commit | null | undefined, now: number): Html {
  if (!commit) return html`<td class="commit"></td><td class="time"></td>`
  return html`<td class="commit"><a href="${projectAddress(project, 'commit', commit.id)}">${commit.title || '(no message)'}</a></td><td class="time">${timeAgo(commit.committed_date, now)}</td>`
}

const icons: Readonly<Record<string, [IconName, string]>> = {
  tree: ['file-directory-fill', 'Folder'],
  commit: ['file-submodule', 'Submodule'],
  link: ['file-symlink-file', 'Link'],
  blob: ['file', 'File'],
}

function entryIcon({ type, mode }: TreeEntry): Html {
  const [name, text] = icons[mode === symbolicLink ? 'link' : type] ?? ['file', 'File']
  return html`<span class="entry ${type}">${icon(name, text)}</span>`
}
