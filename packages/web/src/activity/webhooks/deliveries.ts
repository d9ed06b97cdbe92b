import type { Page } from '@stithy/client'
import type { HookEvent } from '@stithy/core'
import { badge } from '../../platform/design/badge.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { withQuery } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'

/** How many deliveries a page has: some are 40 KiB. */
export const deliveriesPerPage = 20

/**
 * What was sent to a hook and answered, of which one is shown as a whole: `?delivery=7`.
 * @param path of the page
 */
export function deliveryList(call: PageCall, events: Page<HookEvent>, path: string): Html {
  const open = call.query.get('delivery')
  const body =
    events.items.length === 0
      ? emptyState({
          title: 'Nothing was sent yet',
          text: 'Test the webhook to see what it sends.',
        })
      : rows(events.items.map((event) => delivery(call, event, path, String(event.id) === open)))
  return html`${card({ title: 'Deliveries', body, isFlush: true, id: 'deliveries' })}
${pagination(events, path, call.query)}`
}

function delivery(call: PageCall, event: HookEvent, path: string, isOpen: boolean): Html {
  const { id, trigger, execution_duration: seconds, created_at, error } = event
  const href = withQuery(path, { delivery: isOpen ? undefined : id }, call.query)
  return row({
    start: statusBadge(event),
    title: html`<a class="title" id="delivery-${id}" href="${href}#delivery-${id}"${isOpen && html` aria-expanded="true"`}>${trigger}</a>`,
    details: html`${timeAgo(created_at, call.now)}<span>${seconds.toFixed(2)} s</span>${error !== null && html`<span>${error}</span>`}
${isOpen && exchange(event)}`,
  })
}

/** What a test has sent and received. */
export function testResult(event: HookEvent): Html {
  const body = html`<p>${statusBadge(event)} ${event.error}</p>${exchange(event)}`
  return html`<div role="status">${card({ title: 'Test event', body })}</div>`
}

/** The status of a response: as a word too, for those who don't see colours. */
function statusBadge({ response_status: status }: HookEvent): Html {
  if (status === null) return badge('no answer', 'danger', 'x-circle')
  const isGood = status >= 200 && status < 300
  return badge(String(status), isGood ? 'good' : 'danger', isGood ? 'check-circle' : 'x-circle')
}

/** Request and response as a whole. */
function exchange(event: HookEvent): Html {
  const data = event.request_data
  return html`<div class="exchange">
<h3>Request</h3>
${block('Headers of the request', `POST ${event.url}\n${headersText(event.request_headers)}`)}
${data === null ? html`<p>The body was longer than 32 KiB and is not kept.</p>` : block('Body of the request', JSON.stringify(data, null, 2))}
<h3>Response</h3>
${block('Headers of the response', headersText(event.response_headers) || event.error || 'none')}
${event.response_body !== null && event.response_body !== '' && block('Body of the response', event.response_body)}
</div>`
}

function headersText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

function block(label: string, text: string): Html {
  return html`<pre class="code" tabindex="0" role="region" aria-label="${label}">${text}</pre>`
}
