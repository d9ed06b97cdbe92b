import { layoutOf } from '../../../code/diffs/diff-files.ts'
import { rawDiffLinks } from '../../../code/diffs/raw-diff.ts'
import { checkbox, type Option, selectField } from '../../../platform/design/form-fields.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { withQuery } from '../../../platform/text/addresses.ts'
import type { ShownDiff } from './shown-diff.ts'

/**
 * Which versions are compared, and how their diff is shown.
 * @param request the address of the merge request
 */
export function diffOptions(
  address: string,
  query: URLSearchParams,
  diff: ShownDiff,
  { request, progress }: { request: string; progress: Html | undefined },
): Html {
  const { versions, version, start } = diff
  const layout = layoutOf(query)
  const other = layout === 'parallel' ? undefined : 'parallel'
  const switchTo = layout === 'parallel' ? 'Show one column' : 'Show side by side'
  const nameOf = (at: number) => (at === 0 ? 'Latest version' : `Version ${versions.length - at}`)
  const shown = versions.map(
    ({ id, head_commit_sha: sha }, at): Option => ({
      value: String(id),
      text: `${nameOf(at)} · ${sha.slice(0, 8)}`,
    }),
  )
  const older = versions.slice(1).map(
    ({ head_commit_sha: sha }, at): Option => ({
      value: sha,
      text: `${nameOf(at + 1)} · ${sha.slice(0, 8)}`,
    }),
  )
  return html`<div class="row diff-options"><details class="menu start" data-menu><summary class="button">${nameOf(versions.indexOf(version))}${start !== undefined && html` compared with ${start.head_commit_sha.slice(0, 8)}`}</summary>
<div class="panel"><form action="${address}" class="stack">
${selectField({ id: 'diff_id', label: 'Show', options: shown, value: String(version.id) })}
${older.length > 0 && selectField({ id: 'start_sha', label: 'Compared with', options: [{ value: '', text: 'The target branch' }, ...older], value: start?.head_commit_sha ?? '' })}
${checkbox({ id: 'w', label: 'Ignore white space', isChecked: query.get('w') === '1' })}
${layout === 'parallel' && html`<input type="hidden" name="view" value="parallel">`}
<div class="buttons"><button class="primary">Apply</button></div></form></div></details>
<a class="button" href="${withQuery(address, { view: other, line: undefined }, query)}">${switchTo}</a>
${diff.path !== undefined && html`<a class="button" href="${withQuery(address, { path: undefined, line: undefined, note_id: undefined }, query)}">Show all files</a>`}${rawDiffLinks(request)}${progress}</div>`
}
