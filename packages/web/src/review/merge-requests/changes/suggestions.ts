import type { Suggestion } from '@stithy/core'
import type { ShownDiscussion } from '../../../planning/discussions/read-discussions.ts'
import { badge } from '../../../platform/design/badge.ts'
import { actionButton } from '../../../platform/design/button.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'

interface Offered {
  call: Pick<PageCall, 'csrfToken'>
  /** Of the page of changes. */
  address: string
  mayApply: boolean
}

/** The changes of lines that the comments of a thread suggest. */
export function threadSuggestions(view: Offered, { notes }: ShownDiscussion): Html[] {
  return notes
    .flatMap(({ suggestions = [] }) => suggestions)
    .map((suggestion) => suggestedChange(view, suggestion))
}

function suggestedChange({ call, address, mayApply }: Offered, suggestion: Suggestion): Html {
  const { id, from_line: from, to_line: to, applied, appliable } = suggestion
  const lines = from === to ? `line ${from}` : `lines ${from} to ${to}`
  const action =
    appliable &&
    mayApply &&
    actionButton(call, {
      action: `${address}/suggestions/${id}`,
      text: 'Apply',
      label: `Apply the change of ${lines}`,
    })
  return html`<div class="suggestion"><div class="row"><span class="strong grow">Suggested change of ${lines}</span>${applied && badge('Applied', 'good', 'check')}${!applied && !appliable && badge('Outdated')}${action}</div>
<pre tabindex="0">${changedLines(suggestion.from_content, 'del')}${changedLines(suggestion.to_content, 'ins')}</pre></div>`
}

function changedLines(content: string, tag: 'del' | 'ins'): Html {
  const lines = content.endsWith('\n') ? content.slice(0, -1) : content
  if (content === '') return html``
  return tag === 'del' ? html`<del>${lines}\n</del>` : html`<ins>${lines}\n</ins>`
}
