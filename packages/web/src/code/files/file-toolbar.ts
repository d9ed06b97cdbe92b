import { AccessLevel, type FileLines, type Project } from '@stithy/core'
import { changeLevel } from '../../directory/projects/project-place.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { symbolicLink } from '../repositories/file-modes.ts'
import { isMarkdown } from '../repositories/readme.ts'
import type { CodeTarget } from '../revisions/code-target.ts'
import { pathCrumbs } from '../revisions/path-crumbs.ts'
import { type RefPage, refMenu } from '../revisions/ref-menu.ts'

/** Which file of which ref is shown. */
export function fileToolbar(project: Project, page: RefPage, target: CodeTarget): Html {
  const fullPath = project.path_with_namespace
  return html`<div class="toolbar">${refMenu({ project: fullPath, page, ...target })}${pathCrumbs(fullPath, target)}
<div class="end">${buttonLink(projectAddress(fullPath, 'find_file', target.ref), 'Find file')}</div></div>`
}

/** What can be done with a file that is shown. */
export function fileActions(
  { query }: PageCall,
  project: Project,
  { ref, path }: CodeTarget,
  file: FileLines,
): Html {
  const fullPath = project.path_with_namespace
  const to = (page: string, of = ref) => projectAddress(fullPath, page, of, path)
  const isPlain = query.get('plain') === '1'
  const mayWrite = changeLevel(project) >= AccessLevel.developer
  const source =
    isMarkdown(path) &&
    (isPlain
      ? html`<a href="${to('blob')}">Rendered</a>`
      : html`<a href="${to('blob')}?plain=1">Source</a>`)
  return html`${source}
<a href="${to('raw')}">Raw</a>
<a href="${to('raw')}" download>Download</a>
${file.type === 'text' && html`<a href="${to('blame')}">Blame</a>`}
<a href="${to('commits')}">History</a>
<a href="${to('blob', file.commit_id)}">Permalink</a>
${mayWrite && file.type === 'text' && html`<a href="${to('edit')}">Edit</a>`}
${mayWrite && file.mode !== symbolicLink && html`<a href="${to('replace')}">Replace</a>`}
${mayWrite && html`<a href="${to('delete')}">Delete</a>`}`
}
