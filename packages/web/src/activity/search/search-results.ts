import type {
  FoundBlob,
  FoundCommit,
  FoundIssue,
  FoundMergeRequest,
  FoundNote,
  FoundProject,
  FoundProjectCommit,
  FoundSnippet,
  Milestone,
  UserRef,
} from '@stithy/core'
import { projectRow } from '../../directory/projects/project-row.ts'
import { loadProjectsOf, type ProjectsById } from '../../directory/projects/projects-by-id.ts'
import { avatar } from '../../platform/design/avatar.ts'
import { stateIcon } from '../../platform/design/badge.ts'
import { card } from '../../platform/design/card.ts'
import { codeHits, lineOf, marked } from '../../platform/design/code-hits.ts'
import { icon } from '../../platform/design/icon.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import {
  address,
  localPath,
  noteAddress,
  projectAddress,
  projectOf,
} from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'
import type { Scope } from './search-scopes.ts'

/** One result, of any scope. */
export type Found =
  | FoundProject
  | FoundIssue
  | FoundMergeRequest
  | FoundNote
  | FoundSnippet
  | FoundBlob
  | FoundCommit
  | FoundProjectCommit
  | Milestone
  | UserRef

/** What results are shown with. */
interface View {
  scope: Scope
  /** The text without filters, to be marked. */
  needle: string
  /** The project that is searched, if it is one. */
  project: string | undefined
  projects: ProjectsById
  now: number
}

/**
 * A page of results.
 * @param project full path of the project that is searched
 */
export async function resultRows(
  { client, now }: Pick<PageCall, 'client' | 'now'>,
  { scope, text, project }: { scope: Scope; text: string; project: string | undefined },
  found: readonly Found[],
): Promise<Html> {
  const within = found.flatMap((item) => (isInRepository(item) ? [item] : []))
  const projects =
    project === undefined ? await loadProjectsOf(client, within) : new Map<number, never>()
  const view = { scope, needle: needleOf(text), project, projects, now }
  const items = found.map((item) => result(item, view))
  const isCode = scope === 'blobs' || scope === 'wiki_blobs'
  return isCode ? html`${items}` : card({ body: rows(items), isFlush: true })
}

/** Files and commits, of which the API gives the project's id alone. */
function isInRepository(item: Found): item is FoundBlob | FoundCommit {
  return 'startline' in item || ('short_id' in item && 'project_id' in item)
}

/** The words of a text that are no filters of files. */
function needleOf(text: string): string {
  const words = text.split(' ').filter((word) => !/^(?:filename|path|extension):/.test(word))
  return words.join(' ').trim()
}

function result(item: Found, view: View): Html {
  if ('startline' in item) return blob(item, view)
  if ('short_id' in item) return commit(item, view)
  if ('path_with_namespace' in item) return projectRow(item, view.now)
  if ('noteable_type' in item) return note(item, view)
  if ('file_name' in item) return snippet(item, view)
  if ('username' in item) return user(item, view)
  if ('source_branch' in item) return workItem('merge_request', item, view)
  if ('confidential' in item) return workItem('issue', item, view)
  return milestone(item, view)
}

function placeOf(id: number | undefined, { project, projects }: View): string | undefined {
  return project ?? projects.get(id ?? 0)?.path_with_namespace
}

function blob(item: FoundBlob, view: View): Html {
  const project = placeOf(item.project_id, view)
  if (project === undefined) return html``
  const isWiki = view.scope === 'wiki_blobs'
  const href = isWiki
    ? projectAddress(project, 'wikis', item.basename)
    : projectAddress(project, 'blob', item.ref, item.path)
  const line = isWiki ? '' : `#L${lineOf(item.data, item.startline, view.needle)}`
  const name = view.project === undefined ? html`<span class="muted">${project}:</span> ` : ''
  return card({
    title: html`${icon('file')} ${name}<a href="${href}${line}">${marked(item.path, view.needle)}</a>`,
    body: codeHits({
      label: `${view.project === undefined ? `${project}: ` : ''}${item.path}, from line ${item.startline}`,
      text: item.data,
      start: item.startline,
      needle: view.needle,
      href,
    }),
    isFlush: true,
  })
}

function commit(item: FoundCommit | FoundProjectCommit, view: View): Html {
  const project = placeOf('project_id' in item ? item.project_id : undefined, view)
  const title = marked(item.title, view.needle)
  return row({
    start: icon('git-commit'),
    title:
      project === undefined
        ? title
        : html`<a class="title" href="${projectAddress(project, 'commit', item.id)}">${title}</a>`,
    details: html`<span class="mono">${item.short_id}</span><span>${item.author_name}</span><span>${project}</span>`,
    end: timeAgo(item.committed_date, view.now),
  })
}

function workItem(
  type: 'issue' | 'merge_request',
  item: FoundIssue | FoundMergeRequest,
  view: View,
): Html {
  const href = localPath(item.web_url)
  const sign = type === 'issue' ? '#' : '!'
  return row({
    start: stateIcon(type, item.state),
    title: html`<a class="title" href="${href}">${marked(item.title, view.needle)}</a>`,
    details: html`<span>${projectOf(href)}${sign}${item.iid}</span>${passage(item.description, view)}`,
    end: html`<span>updated ${timeAgo(item.updated_at, view.now)}</span>`,
  })
}

/** How much of a text is shown around what was found in it, in characters. */
const around = 80

/** The part of a text in which something was found; nothing if it was found elsewhere. */
function passage(text: string | null, { needle }: View): Html | undefined {
  const at = (text ?? '').toLowerCase().indexOf(needle.toLowerCase())
  if (!text || at < 0 || needle === '') return undefined
  const [from, to] = [Math.max(at - around, 0), at + needle.length + around]
  const part = text.slice(from, to).toWellFormed()
  return html`<span>${from > 0 && '…'}${marked(part, needle)}${to < text.length && '…'}</span>`
}

function milestone(item: Milestone, view: View): Html {
  const href = localPath(item.web_url)
  return row({
    start: stateIcon('milestone', item.state),
    title: html`<a class="title" href="${href}">${marked(item.title, view.needle)}</a>`,
    details: html`${passage(item.description, view)}`,
  })
}

function snippet(item: FoundSnippet, view: View): Html {
  return row({
    start: icon('note'),
    title: html`<a class="title" href="${localPath(item.web_url)}">${marked(item.title, view.needle)}</a>`,
    details: html`<span>${item.file_name}</span><span>by ${item.author.name}</span>`,
    end: html`<span>updated ${timeAgo(item.updated_at, view.now)}</span>`,
  })
}

function user(item: UserRef, { needle }: View): Html {
  return row({
    start: avatar(item),
    title: html`<a class="title" href="${address(item.username)}">${marked(item.name, needle)}</a> <span class="muted">@${marked(item.username, needle)}</span>`,
  })
}

const notePages: Readonly<Record<string, string>> = {
  Issue: 'issues',
  MergeRequest: 'merge_requests',
  Snippet: 'snippets',
  Commit: 'commit',
}

function note(item: FoundNote, view: View): Html {
  const { noteable_type: type, noteable_iid: iid, noteable_id: id, commit_id: sha } = item
  const target = sha ?? iid ?? id ?? ''
  const page = notePages[type] ?? 'issues'
  const href = projectAddress(view.project ?? '', page, target)
  const text =
    passage(item.body, view) ?? html`${[...item.body.slice(0, 400)].slice(0, 160).join('')}`
  return row({
    start: avatar(item.author),
    title: html`<a href="${address(item.author.username)}">${item.author.name}</a> on <a class="title" href="${noteAddress(href, item.id)}">${page.replaceAll('_', ' ').replace(/s$/, '')} ${target}</a>`,
    details: text,
    end: timeAgo(item.created_at, view.now),
  })
}
