import { AccessLevel, type CommitDetail, type Project } from '@stithy/core'
import { changeLevel, loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { errorSummary } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { ifPermitted } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { renderTexts } from '../../platform/pages/render-texts.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { textPage } from '../../platform/pages/text-page.ts'
import { withoutDescriptions } from '../../platform/pages/without-descriptions.ts'
import { projectAddress, withQuery } from '../../platform/text/addresses.ts'
import { diffFileList, diffFiles, layoutOf } from '../diffs/diff-files.ts'
import { layoutLinks } from '../diffs/layout-links.ts'
import { rawDiffAddress, rawDiffLinks, sendRawDiff } from '../diffs/raw-diff.ts'
import {
  type CommentForms,
  commentList,
  commentSlots,
  noteField,
  placedComments,
} from './commit-comments.ts'
import { aboutCommit } from './commit-facts.ts'
import type { RefusedForm, RenderedComment } from './commit-forms.ts'
import { commitTitle } from './commit-view.ts'
import { replayForms } from './replay-forms.ts'

/** Files of a diff on a page. */
const filesPerPage = 20
/** `GET /<project>/-/commit/<sha>`: a commit with its diff, and comments on it; `<sha>.diff`, `<sha>.patch`. */
export function showCommit(call: PageCall): Promise<Reply> {
  const { client, params } = call
  const raw = rawDiffAddress(params.sha ?? '', /^[0-9a-f]{4,40}$/)
  if (raw === undefined) return commitPage(call)
  const commit = { projectId: params.project ?? '', sha: raw.name, format: raw.format }
  return sendRawDiff(call, (options) => client.commits.rawDiffs(commit, options))
}

/** `GET /<project>/-/commit/<sha>/message`: as it was written. */
export const showCommitMessage = textPage(async ({ client, params }) => {
  const { project: projectId = '', sha = '' } = params
  const { message } = await client.commits.show({ projectId, sha, stats: false })
  return message
})

/** `POST /<project>/-/commit/<sha>`: comments on the commit, or on a line of its diff. */
export async function commentOnCommit(call: PageCall): Promise<Reply> {
  const { client, form, params, query } = call
  const [projectId, sha] = [params.project ?? '', params.sha ?? '']
  const lineCode = form.optionalText('line_code')
  const path = form.optionalText('line_path')
  const line = form.number('line')
  const place =
    path === undefined || line === undefined
      ? {}
      : { path, line, line_type: form.text('line_type') === 'old' ? 'old' : 'new' }
  const created = await submit(
    client.commits.comments.create({
      ...{ projectId, sha, note: form.text('note') },
      ...(place as { path?: string; line?: number; line_type?: 'old' | 'new' }),
    }),
    { note: noteField(lineCode) },
  )
  if (!created.ok) return commitPage(call, { form, formErrors: created.formErrors })
  const back = withQuery(projectAddress(projectId, 'commit', sha), { comment_on: undefined }, query)
  return redirect(`${back}#${encodeURIComponent(lineCode ?? 'comments')}`)
}

/** The page, also with a form that is shown again. */
export async function commitPage(call: PageCall, refused?: RefusedForm): Promise<Reply> {
  const { client, params, query } = call
  const [projectId, sha] = [params.project ?? '', params.sha ?? '']
  const one = { projectId, sha }
  const alone = fileNumber(query)
  const files =
    alone === undefined
      ? { per_page: filesPerPage, ...pageNumber(query) }
      : { per_page: 1, page: alone }
  const [project, commit, diff, signature, refs, statuses, requests, comments] = await loadAll([
    loadProject(call),
    client.commits.show(one),
    client.commits.diff({ ...one, ...files }),
    ifPermitted(client.commits.signature(one)),
    ifPermitted(client.commits.refs({ ...one, per_page: 20 })),
    ifPermitted(client.commits.statuses.list({ ...one, per_page: 100 })),
    ifPermitted(client.commits.mergeRequests({ ...one, per_page: 20, ...withoutDescriptions })),
    readComments(call),
  ])
  const facts = { commit, signature, refs, statuses, requests: requests?.items ?? [] }
  const { formErrors = [] } = refused ?? {}
  const mayPush = changeLevel(project) >= AccessLevel.developer
  const mayComment = call.csrfToken !== '' && project.archived !== true
  const forms = { mayComment, refused }
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `${commitTitle(commit)} · ${projectId}`,
    place: projectPlace(project, 'commits'),
    body: html`${heading(commitTitle(commit), html`${mayPush && replayForms(call, project, commit, refused)}${buttonLink(projectAddress(projectId, 'tree', commit.id), 'Files')}`)}
${errorSummary(formErrors)}${aboutCommit(projectId, facts, call.now)}
${changes(call, project, commit, diff, comments, forms)}
${commentList(call, comments, forms)}`,
  })
}

/** A file that is asked for alone: its number in the list of all. */
function fileNumber(query: URLSearchParams): number | undefined {
  const text = query.get('file') ?? ''
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined
}

/** Characters of a comment: the API has no more of one alone. */
const maxComment = 50_000

async function readComments({ client, params }: PageCall): Promise<RenderedComment[]> {
  const [projectId, sha] = [params.project ?? '', params.sha ?? '']
  const { items } = await client.commits.comments.list({
    projectId,
    sha,
    per_page: 100,
    max_body_length: maxComment,
  })
  const texts = await renderTexts(
    { client },
    items.map(({ note: text, note_size: bytes = 0 }) => ({
      text,
      rest: { bytes, read: async () => text },
    })),
    projectId,
  )
  return items.map((comment, at) => ({ ...comment, html: texts[at] ?? '' }))
}

type Diff = Awaited<ReturnType<PageCall['client']['commits']['diff']>>

function changes(
  call: PageCall,
  project: Project,
  commit: CommitDetail,
  diff: Diff,
  comments: readonly RenderedComment[],
  forms: CommentForms,
): Html {
  const { query } = call
  const fullPath = project.path_with_namespace
  const self = projectAddress(fullPath, 'commit', commit.id)
  const isAlone = query.has('file')
  const first = ((diff.page ?? 1) - 1) * filesPerPage + 1
  const parent = commit.parent_ids[0]
  const total = diff.total ?? diff.items.length
  const label =
    total > diff.items.length
      ? `Changed files: ${diff.items.length} of ${total}`
      : `Changed files: ${total}`
  return html`${layoutLinks(self, query, rawDiffLinks(self))}
${isAlone && html`<p><a href="${withQuery(self, { file: undefined }, query)}">All changed files</a></p>`}
${diffFileList(diff.items, label)}
${diffFiles({
  entries: diff.items,
  layout: layoutOf(query),
  isAlone,
  fileAddress: (_, index) => withQuery(self, { file: first + index, page: undefined }, query),
  blobAddress: (entry) =>
    entry.deleted_file
      ? parent && projectAddress(fullPath, 'blob', parent, entry.old_path)
      : projectAddress(fullPath, 'blob', commit.id, entry.new_path),
  slots: commentSlots(call, placedComments(comments), forms),
})}
${!isAlone && pagination(diff, self, query)}`
}
