import type { MergeCheck } from '@stithy/core'
import { type Html, html } from '../../../platform/html/html.ts'
import type { RequestView } from '../request-view.ts'

/** How to resolve conflicts on the command line; undefined without any. */
export function conflictHelp(
  { request, project }: RequestView,
  checks: readonly MergeCheck[],
): Html | undefined {
  if (!checks.some(({ name, status }) => name === 'conflict' && status === 'failed')) {
    return undefined
  }
  const { source_branch: source, target_branch: target } = request
  const url = project.http_url_to_repo
  const commands = [
    `git fetch ${quoted(url)} ${quoted(target)}`,
    `git switch ${quoted(source)}`,
    'git merge FETCH_HEAD',
    '# resolve the conflicts, then',
    'git commit',
    `git push origin ${quoted(source)}`,
  ].join('\n')
  return html`<details><summary>How to resolve the conflicts</summary>
<p>Merge the target branch into the source branch, in a clone of the project that has it:</p>
<pre class="commands" tabindex="0" data-copy>${commands}</pre></details>`
}

/** A word of a command, in quotes where a shell would read more into it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
