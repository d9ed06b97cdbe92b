import { type WikiPage, wikiFormats } from '@stithy/core'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card } from '../../platform/design/card.ts'
import {
  csrfField,
  errorSummary,
  selectField,
  textArea,
  textField,
} from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { type FormError, submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { encodePath, projectAddress } from '../../platform/text/addresses.ts'
import { refusedPage } from '../items/refused-page.ts'

const fields = { title: 'title', content: 'content', format: 'format' }

const formats = wikiFormats.map((value) => ({ value, text: value }))

function settingsOf({ form }: PageCall) {
  const format = wikiFormats.find((each) => each === form.text('format'))
  return {
    title: form.text('title'),
    content: form.text('content'),
    ...(format && { format }),
  }
}

function pageAddress({ params }: PageCall, slug: string): string {
  return projectAddress(params.project ?? '', 'wikis', slug)
}

/** `GET /<project>/-/wikis/new`. */
export function showNewWikiPage(call: PageCall): Promise<Reply> {
  return showWikiForm(call, {})
}

/** `POST /<project>/-/wikis`. */
export async function createWikiPage(call: PageCall): Promise<Reply> {
  const projectId = projectPath(call)
  const created = await submit(call.client.wikis.create({ projectId, ...settingsOf(call) }), fields)
  return created.ok
    ? redirect(pageAddress(call, created.value.slug))
    : showWikiForm(call, { formErrors: created.formErrors })
}

/** `POST /<project>/-/wikis/<slug>`: changes, renames or deletes a page. */
export async function changeWikiPage(call: PageCall): Promise<Reply> {
  const { project: projectId = '', slug = '' } = call.params
  const { wikis } = call.client
  if (call.form.text('do') === 'delete') {
    const removed = await submit(wikis.delete({ projectId, slug }))
    return removed.ok
      ? redirect(projectAddress(projectId, 'wikis', 'pages'))
      : refusedPage(removed.formErrors, pageAddress(call, slug))
  }
  const before = await wikis.show({ projectId, slug })
  if (call.form.text('version') !== before.content.replaceAll('\r\n', '\n')) {
    const text = 'Somebody changed the page meanwhile. Save again to replace what they wrote.'
    return showWikiForm(call, { page: before, formErrors: [{ field: '', text }] })
  }
  const changed = await submit(wikis.update({ projectId, slug, ...settingsOf(call) }), fields)
  return changed.ok
    ? redirect(pageAddress(call, changed.value.slug))
    : showWikiForm(call, { page: before, formErrors: changed.formErrors })
}

/** `POST /<project>/-/wikis/attachments`: a file, whose Markdown is then shown to copy. */
export async function uploadWikiFile(call: PageCall): Promise<Reply> {
  const projectId = projectPath(call)
  const back = projectAddress(projectId, 'wikis', 'pages')
  const file = call.form.file('file')
  if (file === undefined) return refusedPage([{ field: '', text: 'Choose a file first.' }], back)
  const stored = await submit(call.client.wikis.attachments.create({ projectId, file }))
  if (!stored.ok) return refusedPage(stored.formErrors, back)
  const project = await loadProject(call)
  return page({
    title: `Uploaded · Wiki · ${projectId}`,
    place: projectPlace(project, 'wikis'),
    body: html`${heading('The file was uploaded')}
${card({ body: html`<p>Write this on a page to show or link it:</p><pre class="scroll" tabindex="0">${stored.value.link.markdown}</pre><p><a href="${back}">Pages of the wiki</a></p>` })}`,
  })
}

interface FormState {
  page?: WikiPage
  formErrors?: readonly FormError[]
}

/** The form for a new page, or for one that is edited. */
export async function showWikiForm(call: PageCall, state: FormState): Promise<Reply> {
  const { page: edited, formErrors = [] } = state
  const project = await loadProject(call)
  const path = project.path_with_namespace
  const list = projectAddress(path, 'wikis')
  const own = edited === undefined ? list : `${list}/${encodePath(edited.slug)}`
  const title = edited === undefined ? 'New page' : `Edit ${edited.title}`
  const version =
    edited &&
    html`<textarea name="version" hidden>
${edited.content}</textarea>`
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `${title} · Wiki · ${path}`,
    place: projectPlace(project, 'wikis'),
    body: html`${heading(title)}${errorSummary(formErrors)}
${card({
  body: html`<form method="post" action="${own}">${csrfField(call)}${version}${wikiFields(call, state)}
<div class="buttons"><button class="primary">${edited === undefined ? 'Create page' : 'Save changes'}</button> <a href="${own}">Cancel</a></div></form>`,
})}
${card({
  title: 'Files',
  body: html`<form class="line" method="post" enctype="multipart/form-data" action="${list}/attachments">${csrfField(call)}${textField({ id: 'file', label: 'Upload a picture or another file', type: 'file', required: true })}<button>Upload</button></form>`,
})}`,
  })
}

function wikiFields({ form, query }: PageCall, { page: edited, formErrors = [] }: FormState): Html {
  const value = (name: string, stored: string | undefined) =>
    formErrors.length > 0 ? form.text(name) : (stored ?? '')
  // A title without slashes would keep the page in its folder.
  const title = edited?.slug.includes('/') ? edited.slug : edited?.title
  return html`${textField({ id: 'title', label: 'Title', hint: 'Slashes make folders: guides/install', value: value('title', title ?? query.get('title') ?? ''), required: true, maxLength: 1024, formErrors })}
${selectField({ id: 'format', label: 'Format', options: formats, value: value('format', edited?.format ?? 'markdown') })}
${textArea({ id: 'content', label: 'Content', value: value('content', edited?.content), format: 'markdown', rows: 18, required: true, formErrors })}`
}
