import type { Snippet } from '@stithy/core'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card, notice } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { heading } from '../../platform/design/heading.ts'
import { prose } from '../../platform/design/prose.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { isAdministrator, type PageCall } from '../../platform/pages/page-call.ts'
import { renderTexts } from '../../platform/pages/render-texts.ts'
import { forward, page, type Reply } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { textPage } from '../../platform/pages/text-page.ts'
import { address, projectAddress } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { commentForm } from '../discussions/comment-form.ts'
import { discussionTimeline } from '../discussions/discussion-timeline.ts'
import type { DiscussionView, FailedForm } from '../discussions/discussion-view.ts'
import { type Noteable, snippetNoteable } from '../discussions/noteable.ts'
import { reactions } from '../discussions/reactions.ts'
import { listDiscussions, readTimeline, redirectToNote } from '../discussions/read-discussions.ts'
import { projectRights } from '../items/project-rights.ts'
import { snippetCalls } from './snippet-calls.ts'
import { visibilityBadge } from './snippet-list-page.ts'

/** Characters of content that a page shows. */
const maxShown = 500_000

/** `GET /snippets/:id/raw`, also of a project. */
export async function showRawSnippet(call: PageCall): Promise<Reply> {
  const { content } = call
  return forward(await snippetCalls(call).raw(rowId(call), { content }))
}

/** `GET /snippets/:id/description`, also of a project. */
export const showSnippetDescription = textPage(
  async (call) => (await snippetCalls(call).show(rowId(call))).description,
)

/** `GET /snippets/:id`: a personal one has no comments. */
export async function showSnippet(call: PageCall): Promise<Reply> {
  const calls = snippetCalls(call)
  const id = rowId(call)
  const [viewer, snippet, raw] = await loadAll([call.viewer(), calls.show(id), calls.raw(id)])
  const content = await raw.text()
  const own = `${calls.list}/${id}`
  const [description = '', code = ''] = await renderTexts(call, [
    { text: snippet.description, whole: `${own}/description` },
    { text: asMarkdown(snippet, content), whole: `${own}/raw` },
  ])
  const isOwn = viewer !== null && (viewer.id === snippet.author.id || isAdministrator(viewer))
  return page({
    title: `${snippet.title} · Snippets`,
    body: html`${snippetHeading(call, snippet, isOwn)}${snippetCards(call, snippet, { description, code })}`,
  })
}

/** The snippet of a page as the components of discussions know it. */
export function noteableOf(call: PageCall): Noteable {
  const { project = '' } = call.params
  const id = rowId(call)
  return snippetNoteable(call.client, {
    project,
    id,
    address: projectAddress(project, 'snippets', id),
  })
}

/** `GET /<project>/-/snippets/:id`. */
export function showProjectSnippet(call: PageCall): Promise<Reply> {
  return projectSnippetPage(call)
}

/** @param failed a form of the discussion that was refused */
export async function projectSnippetPage(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const noteable = noteableOf(call)
  const calls = snippetCalls(call)
  const id = rowId(call)
  const [project, viewer, snippet, raw, discussions] = await loadAll([
    loadProject(call),
    call.viewer(),
    calls.show(id),
    calls.raw(id),
    listDiscussions(call, noteable),
  ])
  const elsewhere = redirectToNote(noteable, discussions)
  if (elsewhere !== undefined) return elsewhere
  const source = asMarkdown(snippet, await raw.text())
  const texts = await readTimeline(call, noteable, discussions, [
    { text: snippet.description, whole: `${noteable.address}/description` },
    { text: source, whole: `${noteable.address}/raw` },
  ])
  const [description = '', code = ''] = texts.texts
  const rights = projectRights(project, viewer)
  const discussion: DiscussionView = {
    call,
    noteable,
    page: discussions,
    texts,
    viewer,
    authorId: snippet.author.id,
    mayModerate: rights.mayManage,
    mayComment: rights.maySpeak,
    failed,
  }
  const isOwn = rights.mayManage || (rights.maySpeak && viewer?.id === snippet.author.id)
  const award = reactions({
    call,
    address: noteable.address,
    awards: texts.awards,
    mayAward: rights.maySpeak,
  })
  return page({
    ...(failed === undefined ? {} : { status: 422 }),
    title: `${snippet.title} · Snippets · ${project.path_with_namespace}`,
    place: projectPlace(project, 'snippets'),
    body: html`${snippetHeading(call, snippet, isOwn)}${snippetCards(call, snippet, { description, code })}${award}
<section aria-label="Discussion" id="discussion">${discussionTimeline(discussion)}</section>
${commentForm(discussion)}`,
  })
}

function snippetHeading(call: PageCall, snippet: Snippet, mayChange: boolean): Html {
  const own = `${snippetCalls(call).list}/${snippet.id}`
  const { author } = snippet
  const buttons = mayChange
    ? [
        buttonLink(`${own}/edit`, 'Edit'),
        confirmation(call, {
          action: `${own}/delete`,
          text: 'Delete',
          button: 'Delete snippet',
          question: 'It can’t be brought back.',
          look: 'danger',
        }),
      ]
    : []
  return html`${heading(snippet.title, buttons)}
<p class="row">${visibilityBadge(snippet)}<span class="muted">$${snippet.id} by <a href="${address(author.username)}">${author.name}</a> ${timeAgo(snippet.created_at, call.now)}</span></p>`
}

/** @param texts HTML of the description and of the content */
function snippetCards(
  call: PageCall,
  snippet: Snippet,
  { description, code }: { description: string; code: string },
): Html {
  const raw = `${snippetCalls(call).list}/${snippet.id}/raw`
  const shown =
    code === ''
      ? notice(html`The content is too long for a page: see it <a href="${raw}">as it is</a>.`)
      : prose(code)
  return html`${description !== '' && card({ body: prose(description) })}
${card({ title: snippet.file_name === '' ? 'Content' : snippet.file_name, end: buttonLink(raw, 'Raw'), body: shown })}`
}

/**
 * The content as a block of code in Markdown, which the API highlights, or as it is where it is
 * Markdown; '' if it is too long.
 */
function asMarkdown({ file_name: name }: Snippet, content: string): string {
  if (content.length > maxShown) return ''
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  if (['md', 'markdown'].includes(extension)) return content
  const language = /^[a-z0-9+#-]{1,20}$/.test(extension) ? extension : ''
  const fence = fenceFor(content)
  return `${fence}${language}\n${content.endsWith('\n') ? content : `${content}\n`}${fence}`
}

/** Backquotes, more of them than stand anywhere in a text. */
function fenceFor(content: string): string {
  let longest = 2
  let length = 0
  for (const character of content) {
    length = character === '`' ? length + 1 : 0
    if (length > longest) longest = length
  }
  return '`'.repeat(longest + 1)
}
