import type { DiffEntry, MergeRequestDetail } from '@stithy/core'
import { commentLinks } from '../../../code/diffs/comment-links.ts'
import { type DiffPlace, fileAnchor } from '../../../code/diffs/diff-entry.ts'
import { diffFileList, diffFiles, layoutOf } from '../../../code/diffs/diff-files.ts'
import type { DiffSlots } from '../../../code/diffs/diff-lines.ts'
import { projectPlace } from '../../../directory/projects/project-place.ts'
import { discussionCard } from '../../../planning/discussions/discussion-timeline.ts'
import type { DiscussionView, FailedForm } from '../../../planning/discussions/discussion-view.ts'
import { liveItem, type Noteable } from '../../../planning/discussions/noteable.ts'
import {
  type DiscussionPage,
  readTimeline,
} from '../../../planning/discussions/read-discussions.ts'
import { badge } from '../../../platform/design/badge.ts'
import { emptyState, notice } from '../../../platform/design/card.ts'
import { errorSummary } from '../../../platform/design/form-fields.ts'
import { pagination } from '../../../platform/design/navigation.ts'
import type { FormError } from '../../../platform/forms/submit.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { loadAll } from '../../../platform/pages/load-all.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { type LiveSubject, page, type Reply } from '../../../platform/pages/reply.ts'
import { projectAddress, withQuery } from '../../../platform/text/addresses.ts'
import { plural } from '../../../platform/text/numbers.ts'
import { requestAddress } from '../merge-request-address.ts'
import { discussionView, requestNoteable } from '../overview/request-page.ts'
import { requestKey } from '../request-call.ts'
import { requestHeader } from '../request-header.ts'
import { loadRequest, type RequestView } from '../request-view.ts'
import { diffOptions } from './diff-options.ts'
import { lineForm, type RefusedLine } from './line-form.ts'
import {
  type LineThreads,
  loadThreads,
  threadsByLine,
  threadsOn,
  threadsParameter,
} from './line-threads.ts'
import { isCommentable, loadDiff, type ShownDiff } from './shown-diff.ts'
import { threadSuggestions } from './suggestions.ts'
import { findThreadFile } from './thread-file.ts'
import {
  isViewed,
  loadViewedFiles,
  type ViewedFiles,
  viewedButton,
  viewedProgress,
} from './viewed-files.ts'

/** What a page that is shown again says of a form that was refused. */
export interface RefusedChange {
  /** A reply, or another form of a thread. */
  failed?: FailedForm
  /** A new thread on a line. */
  line?: RefusedLine
  /** Another action. */
  formErrors?: readonly FormError[]
}

/** `GET /<project>/-/merge_requests/:iid/diffs`: the changes, with the threads on their lines. */
export async function showChanges(call: PageCall, refused: RefusedChange = {}): Promise<Reply> {
  const elsewhere = await findThreadFile(call)
  if (elsewhere !== undefined) return elsewhere
  const [view, diff] = await loadAll([loadRequest(call), loadDiff(call)])
  const { labelEvents: _, newestComment: __, ...noteable } = requestNoteable(call, 'diffs')
  const address = changesAddress(call)
  const [threads, viewed] = await loadAll([
    loadThreads(call, diff),
    loadViewedFiles(call, diff, address),
  ])
  const timeline = await readTimeline(call, noteable, threads)
  const talk = discussionView(call, { view, noteable, page: threads, timeline, refused })
  const { above: _above, ...lineTalk } = talk
  const changes: Changes = {
    call,
    view,
    diff,
    talk: { ...lineTalk, threadAddress: requestAddress(requestKey(call)) },
    threads,
    byLine: threadsByLine(threads),
    viewed,
    refused,
  }
  const { request, project } = view
  const { formErrors = [] } = refused
  // Each page of files has its own pages of threads.
  const ofFiles = new URLSearchParams(call.query)
  ofFiles.delete(threadsParameter)
  const isRefused = refused.failed !== undefined || refused.line !== undefined
  return page({
    status: isRefused || formErrors.length > 0 ? 422 : 200,
    title: `Changes · ${request.title} (!${request.iid}) · ${project.path_with_namespace}`,
    place: projectPlace(project, 'merge_requests'),
    live: liveDiff(call, noteable, { request, diff }),
    body: html`${errorSummary(formErrors)}${requestHeader(call, view, 'diffs')}
<h2 class="hidden">Changes</h2>
${diffOptions(address, call.query, diff, { request: requestAddress(requestKey(call)), progress: viewed && viewedProgress(viewed) })}
${threadPages(changes, address)}${files(changes)}
${pagination(diff.files, address, ofFiles)}`,
  })
}

/** Nothing is swapped beneath who reads a diff: they are told of what is new. */
function liveDiff(
  { query }: PageCall,
  noteable: Noteable,
  { request, diff }: { request: MergeRequestDetail; diff: ShownDiff },
): LiveSubject | undefined {
  const live = liveItem(noteable, request, query)
  const { state, user_notes_count, sha } = request
  const isNewest = diff.version === diff.versions[0]
  return live && { ...live, fields: { state, user_notes_count, ...(isNewest ? { sha } : {}) } }
}

/** Says that not all threads are shown, and leads to the others. */
function threadPages({ call, threads: { position } }: Changes, address: string): Html | undefined {
  const links = pagination(position, address, call.query, threadsParameter)
  const total = plural(position.total ?? 0, 'thread')
  return links && notice(html`These files have ${total}, too many for one page.${links}`)
}

/** The address of the page of changes. */
export function changesAddress(call: PageCall): string {
  return requestAddress(requestKey(call), 'diffs')
}

interface Changes {
  call: PageCall
  view: RequestView
  diff: ShownDiff
  talk: DiscussionView
  threads: DiscussionPage
  byLine: LineThreads
  viewed: ViewedFiles | undefined
  refused: RefusedChange
}

function files(changes: Changes): Html {
  const { call, diff, view } = changes
  const entries = diff.files.items
  if (entries.length === 0) {
    return emptyState({ title: 'No changes', text: 'These versions have the same files.' })
  }
  const { query } = call
  const address = changesAddress(call)
  const counts = Map.groupBy(changes.talk.page.discussions, (discussion) => pathOf(discussion))
  return html`${diff.path === undefined && diffFileList(entries, fileListTitle(diff))}
${diffFiles({
  entries,
  layout: layoutOf(query),
  isAlone: diff.path !== undefined,
  fileAddress: (entry) => fileAddress(address, query, entry),
  blobAddress: (entry) => blobAddress(view.project.path_with_namespace, diff, entry),
  isViewed: (entry) => diff.path === undefined && isViewed(changes.viewed, entry),
  headerEnd: (entry) =>
    html`${threadCount(counts.get(entry.new_path)?.length ?? 0)}${changes.viewed && viewedButton(changes.viewed, entry)}`,
  slots: {
    below: (place) => belowLine(changes, address, place),
    ...(mayComment(changes) && { action: lineLinks(changes, address) }),
  },
})}`
}

function lineLinks({ call: { query }, refused }: Changes, address: string): DiffSlots['action'] {
  // A refused form is shown at the address that it was sent to.
  const page = Object.keys(refused).length > 0 ? address : undefined
  return commentLinks({ page, query, parameter: 'line', fragment: 'form', isInline: true })
}

function fileListTitle({ files: { items, total } }: ShownDiff): string {
  const all = plural(total ?? items.length, 'changed file')
  return total === items.length ? all : `${items.length} of ${all}`
}

function pathOf({ notes }: DiscussionView['page']['discussions'][number]): string {
  return notes[0]?.position?.new_path ?? ''
}

function fileAddress(address: string, query: URLSearchParams, entry: DiffEntry): string {
  const values = {
    path: entry.new_path,
    page: undefined,
    line: undefined,
    [threadsParameter]: undefined,
  }
  return `${withQuery(address, values, query)}#${fileAnchor(entry)}`
}

function blobAddress(project: string, { refs }: ShownDiff, entry: DiffEntry): string | undefined {
  if (!entry.deleted_file) return projectAddress(project, 'blob', refs.head_sha, entry.new_path)
  return refs.base_sha === null
    ? undefined
    : projectAddress(project, 'blob', refs.base_sha, entry.old_path)
}

function threadCount(count: number): Html | undefined {
  return count === 0 ? undefined : badge(plural(count, 'thread'), '', 'comment-discussion')
}

function mayComment({ talk, diff, view }: Changes): boolean {
  return talk.mayComment && isCommentable(diff, view.request)
}

/** The threads on a line, and the form for a new one where the address asks for it. */
function belowLine(changes: Changes, address: string, place: DiffPlace): Html | undefined {
  const { call, view, diff, talk, byLine, refused } = changes
  const found = threadsOn(byLine, place)
  const isAsked = call.query.get('line') === place.code && mayComment(changes)
  if (found.length === 0 && !isAsked) return undefined
  const offered = {
    call,
    address,
    mayApply: view.viewer !== null && view.request.state === 'opened',
  }
  const cards = found.map(
    (discussion) =>
      html`${discussionCard(talk, discussion)}${threadSuggestions(offered, discussion)}`,
  )
  const form = isAsked && lineForm(call, { address, refs: diff.refs, place, refused: refused.line })
  return html`<div class="stack">${cards}${form}</div>`
}
