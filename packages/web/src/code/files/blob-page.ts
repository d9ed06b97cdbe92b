import type { FileLines, Project } from '@stithy/core'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card } from '../../platform/design/card.ts'
import { codeLines } from '../../platform/design/code-lines.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { ifPermitted, isMissing } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { formatCount, formatSize, plural } from '../../platform/text/numbers.ts'
import { commitLine } from '../commits/commit-view.ts'
import { symbolicLink } from '../repositories/file-modes.ts'
import { isMarkdown, readText, renderText } from '../repositories/readme.ts'
import { type CodeTarget, locate } from '../revisions/code-target.ts'
import { fileActions, fileToolbar } from './file-toolbar.ts'
import { pictureType } from './media-types.ts'

/** `GET /<project>/-/blob/<ref>/<path>`: a file; `?plain=1` shows the source of Markdown. */
export async function showBlob(call: PageCall): Promise<Reply> {
  const { client, params } = call
  const projectId = params.project ?? ''
  try {
    const [project, located] = await loadAll([
      loadProject(call),
      locate(call, params.target ?? '', async ({ ref, path }) => {
        if (path === '') throw missing()
        return client.repository.files.lines({ projectId, filePath: path, ref })
      }),
    ])
    return await blobPage(call, project, located, located.found)
  } catch (error) {
    const folder = isMissing(error) ? await findFolder(call) : undefined
    if (folder === undefined) throw error
    const path = folder.path === '' ? [] : [folder.path]
    return redirect(projectAddress(projectId, 'tree', folder.ref, ...path))
  }
}

/** The path may be that of a folder. */
function findFolder(call: PageCall): Promise<CodeTarget | undefined> {
  const { client, params } = call
  const projectId = params.project ?? ''
  const read = async ({ ref, path }: CodeTarget) => {
    const { items } = await client.repository.tree({ projectId, ref, path, per_page: 1 })
    if (items.length === 0) throw missing()
  }
  return ifPermitted(locate(call, params.target ?? '', read))
}

async function blobPage(
  call: PageCall,
  project: Project,
  target: CodeTarget,
  file: FileLines,
): Promise<Reply> {
  const { client } = call
  const fullPath = project.path_with_namespace
  const isPlain = call.query.get('plain') === '1'
  const [last, rendered] = await loadAll([
    ifPermitted(
      client.commits.show({ projectId: fullPath, sha: file.last_commit_id, stats: false }),
    ),
    isPlain || file.type !== 'text' ? undefined : renderedText(call, target),
  ])
  return page({
    title: `${file.file_path} · ${fullPath}`,
    place: projectPlace(project, 'code'),
    body: html`<h1 class="hidden">${file.file_path}</h1>${fileToolbar(project, 'blob', target)}
${card({
  isFlush: true,
  body: html`${last && commitLine(last, fullPath, call.now)}
<header>${fileFacts(file)}<div class="end row">${fileActions(call, project, target, file)}</div></header>
${rendered ?? content(fullPath, target, file)}`,
})}`,
  })
}

/** Markdown as it is meant to be read; undefined for other files. */
async function renderedText(call: PageCall, target: CodeTarget): Promise<Html | undefined> {
  if (!isMarkdown(target.path)) return undefined
  const text = await readText(call, target)
  return text === undefined
    ? undefined
    : html`<div class="body">${await renderText(call, target, text)}</div>`
}

function fileFacts({ size, total_lines: lines, language, mode, type }: FileLines): Html {
  const facts = [
    formatSize(size),
    ...(type === 'text' ? [plural(lines, 'line')] : []),
    ...(language === null ? [] : [language]),
    ...(mode === '100755' ? ['executable'] : []),
    ...(mode === symbolicLink ? ['symbolic link'] : []),
  ]
  return html`<span class="muted small">${facts.join(' · ')}</span>`
}

function content(project: string, target: CodeTarget, file: FileLines): Html {
  const raw = projectAddress(project, 'raw', target.ref, target.path)
  if (pictureType(target.path) !== undefined && file.type !== 'lfs_pointer') {
    return html`<div class="body picture"><img src="${raw}" alt="${file.file_name}"></div>`
  }
  const note = (text: string) =>
    html`<p class="body muted">${text} <a href="${raw}" download>Download it</a>.</p>`
  switch (file.type) {
    case 'large':
      return note(`A file of ${formatSize(file.size)} is too large to be shown.`)
    case 'binary':
      return note('A binary file.')
    case 'lfs_pointer':
      return html`<p class="body muted">Stored with Git LFS: ${formatSize(file.lfs_pointer?.size ?? 0)}, <span class="mono">${file.lfs_pointer?.oid}</span>. The repository has a pointer to it.</p>`
    default:
      return text(file)
  }
}

function text(file: FileLines): Html {
  if (file.total_lines === 0) return html`<p class="body muted">An empty file.</p>`
  const cut = new Map(file.cut_lines.map(({ line, length }) => [line, length]))
  const left = file.total_lines - file.lines.length
  return html`${codeLines({ lines: file.lines, cut, label: file.file_path })}
${left > 0 && html`<p class="body muted">${formatCount(left)} more lines are left out.</p>`}`
}
