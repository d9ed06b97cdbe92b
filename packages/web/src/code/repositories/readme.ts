import type { TreeEntry } from '@stithy/core'
import { card } from '../../platform/design/card.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { ifPermitted } from '../../platform/pages/if-permitted.ts'
import { renderLongText } from '../../platform/pages/long-texts.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import type { CodeTarget } from '../revisions/code-target.ts'

const readmeName = /^readme(?:\.(?:md|mkd|mkdn|markdown|txt|rst|adoc|asciidoc|org))?$/i
const markdownName = /\.(?:md|mkd|mkdn|markdown)$/i

/** Texts that the API renders, in bytes. */
const maxRendered = 1_000_000

export function isMarkdown(path: string): boolean {
  return markdownName.test(path)
}

/** The README among the entries of a folder: Markdown, if there are several. */
export function findReadme(entries: readonly TreeEntry[]): TreeEntry | undefined {
  const found = entries.filter(({ type, name }) => type === 'blob' && readmeName.test(name))
  return found.find(({ name }) => isMarkdown(name)) ?? found[0]
}

/** The text of a file; undefined if it is not there, not a text, or too large to be rendered. */
export async function readText(
  { client, params }: PageCall,
  { ref, path }: CodeTarget,
): Promise<string | undefined> {
  const projectId = params.project ?? ''
  const response = await ifPermitted(
    client.repository.files.raw({ projectId, filePath: path, ref }),
  )
  if (response === undefined) return undefined
  const isText = response.headers.get('content-type')?.startsWith('text/plain') === true
  if (!isText || Number(response.headers.get('content-length')) > maxRendered) {
    await response.body?.cancel()
    return undefined
  }
  return response.text()
}

/**
 * A text as HTML: rendered, if it is Markdown; a very long one is cut. Relative links lead to files
 * beside it.
 */
export function renderText(
  { client, params }: PageCall,
  { ref, path }: CodeTarget,
  text: string,
): Promise<Html> {
  const project = params.project ?? ''
  const long = { text, whole: projectAddress(project, 'raw', ref, path) }
  return isMarkdown(path)
    ? renderLongText(long, {
        markdown: (shown) => client.markdown.render({ text: shown, gfm: true, project, ref, path }),
      })
    : renderLongText(long, { plain: (shown) => html`<pre class="plain-text">${shown}</pre>` })
}

/** The README of a folder, in a frame. */
export async function readmeCard(
  call: PageCall,
  ref: string,
  entries: readonly TreeEntry[],
): Promise<Html | undefined> {
  const entry = findReadme(entries)
  if (entry === undefined) return undefined
  const target = { ref, path: entry.path }
  const text = await readText(call, target)
  if (text === undefined || text.trim() === '') return undefined
  const title = html`<a href="${projectAddress(projectPath(call), 'blob', ref, entry.path)}">${entry.name}</a>`
  return card({ title, id: 'readme', body: await renderText(call, target, text) })
}
