import { type Html, html } from '../../platform/html/html.ts'

interface AuditFilter {
  action: string
  query: URLSearchParams
  /** Fields besides those of the time. */
  more?: Html
}

/** The days that events are shown of. */
export function auditFilter({ action, query, more }: AuditFilter): Html {
  const day = (name: string, label: string) =>
    html`<label>${label} <input type="date" name="${name}" value="${dayOf(query, name)}"></label>`
  return html`<form class="filters" action="${action}" role="search" aria-label="Filter events">
${day('created_after', 'From')}${day('created_before', 'To')}${more}
<button>Apply</button>
</form>`
}

/** The parameters of the API for the days of the filter, both of which are included. */
export function auditTimes(query: URLSearchParams) {
  const [after, before] = [dayOf(query, 'created_after'), dayOf(query, 'created_before')]
  return {
    ...(after !== '' && { created_after: `${after}T00:00:00.000Z` }),
    ...(before !== '' && { created_before: `${before}T23:59:59.999Z` }),
  }
}

function dayOf(query: URLSearchParams, name: string): string {
  const text = query.get(name)?.slice(0, 10) ?? ''
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
}
