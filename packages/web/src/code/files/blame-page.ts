import { StithyError } from '@stithy/client'
import type { BlameRange } from '@stithy/core'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card, notice } from '../../platform/design/card.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { isMissing } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { projectAddress, withQuery } from '../../platform/text/addresses.ts'
import { formatCount } from '../../platform/text/numbers.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { type CodeTarget, locate } from '../revisions/code-target.ts'
import { fileToolbar } from './file-toolbar.ts'

/** Lines on a page. */
const linesPerPage = 1000
/** The longest part of a line that is shown, in characters. */
const maxShown = 2000

/**
 * `GET /<project>/-/blame/<ref>/<path>`: which commit changed each line last. Before `after`, the file may not have
 * been there: then that commit is shown.
 */
export async function showBlame(call: PageCall): Promise<Reply> {
  const { params, query } = call
  try {
    return await blamePage(call)
  } catch (error) {
    const after = query.get('after') ?? ''
    if (!isMissing(error) || !/^[0-9a-f]{40}$/.test(after)) throw error
    return redirect(projectAddress(params.project ?? '', 'commit', after))
  }
}

async function blamePage(call: PageCall): Promise<Reply> {
  const { client, params } = call
  const projectId = params.project ?? ''
  const [project, located] = await loadAll([
    loadProject(call),
    locate(call, params.target ?? '', async ({ ref, path }) => {
      if (path === '') throw missing()
      return refusedAsText(client.repository.files.blame({ projectId, filePath: path, ref }))
    }),
  ])
  const { ref, path, found } = located
  const shown = typeof found === 'string' ? notice(found, 'warning') : blameOf(call, located, found)
  return page({
    title: `Blame of ${path} · ${projectId}`,
    place: projectPlace(project, 'code'),
    body: html`<h1 class="hidden">Blame of ${path}</h1>${fileToolbar(project, 'blame', located)}
<p class="row">${buttonLink(projectAddress(projectId, 'blob', ref, path), 'Normal view')}${buttonLink(projectAddress(projectId, 'commits', ref, path), 'History')}</p>
${shown}`,
  })
}

/** Files that are too large or take too long are refused with a reason. */
async function refusedAsText<T>(call: PromiseLike<T>): Promise<T | string> {
  try {
    return await call
  } catch (error) {
    if (error instanceof StithyError && [413, 422].includes(error.status ?? 0)) {
      return `The lines of this file can't be attributed: ${error.message}`
    }
    throw error
  }
}

function blameOf(call: PageCall, target: CodeTarget, ranges: readonly BlameRange[]): Html {
  const current = pageNumber(call.query).page ?? 1
  const first = (current - 1) * linesPerPage + 1
  const parts = partsOf(ranges, first, first + linesPerPage)
  const total = ranges.reduce((sum, { lines }) => sum + lines.length, 0)
  const project = projectPath(call)
  const self = projectAddress(project, 'blame', target.ref, target.path)
  const to = (number: number, text: string) =>
    html`<a class="button" href="${withQuery(self, { page: number })}">${text}</a>`
  const table = html`<div class="scroll" tabindex="0" role="region" aria-label="Blame"><table class="blame">${parts.map((part) => blameRows(call, project, target.path, part))}</table></div>`
  return html`${card({ isFlush: true, body: table })}
<nav class="pages" aria-label="Pages">${current > 1 && to(current - 1, 'Previous')}${total > linesPerPage && html`<span class="muted">Lines ${formatCount(first)} to ${formatCount(Math.min(first + linesPerPage - 1, total))} of ${formatCount(total)}</span>`}${first + linesPerPage <= total && to(current + 1, 'Next')}</nav>`
}

interface Part {
  commit: BlameRange['commit']
  /** Number of its first line. */
  start: number
  lines: readonly string[]
}

/** The parts of ranges that have lines from a number on, to before another. */
function partsOf(ranges: readonly BlameRange[], from: number, to: number): Part[] {
  const parts: Part[] = []
  let start = 1
  for (const { commit, lines } of ranges) {
    const skip = Math.max(from - start, 0)
    const shown = lines.slice(skip, Math.max(to - start, 0))
    if (shown.length > 0) parts.push({ commit, start: start + skip, lines: shown })
    start += lines.length
  }
  return parts
}

function blameRows(call: PageCall, project: string, path: string, part: Part): Html {
  const { commit, start, lines } = part
  const [title = ''] = commit.message.split('\n', 1)
  const before = commit.parent_ids[0]
  const earlier =
    before !== undefined &&
    html` · <a class="earlier" href="${withQuery(projectAddress(project, 'blame', before, path), { after: commit.id })}">before<span class="hidden"> ${commit.id.slice(0, 8)}</span></a>`
  const head = html`<th scope="rowgroup" rowspan="${lines.length}"><a href="${projectAddress(project, 'commit', commit.id)}" title="${title}">${title || '(no message)'}</a><span class="muted small">${commit.author_name}, ${timeAgo(commit.authored_date, call.now)}${earlier}</span></th>`
  const rows = lines.map(
    (line, at) =>
      html`<tr id="L${start + at}">${at === 0 && head}<td class="number"><a href="#L${start + at}">${start + at}</a></td><td><pre>${line.slice(0, maxShown)}${line.length > maxShown && html`<span class="muted"> … ${formatCount(line.length)} characters</span>`}</pre></td></tr>`,
  )
  return html`<tbody>${rows}</tbody>`
}
