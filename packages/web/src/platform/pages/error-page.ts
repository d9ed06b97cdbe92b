import { StithyError } from '@stithy/client'
import { heading } from '../design/heading.ts'
import { isUnsendable } from '../forms/unsendable.ts'
import { type Html, html } from '../html/html.ts'
import { address } from '../text/addresses.ts'
import { explain } from './explanation.ts'
import type { PageCall } from './page-call.ts'
import { isArchivedRefusal } from './refusal.ts'
import { type PageReply, page } from './reply.ts'
import { signInAddress } from './sign-in-address.ts'

const archivedProject = {
  title: 'You may not do that',
  text: 'This project is archived: it can be read, but not changed until it is unarchived.',
}

/** The page for a call that failed; the status is that of the API. */
export function errorPage(error: unknown, call: PageCall): PageReply {
  const status = statusOf(error)
  const isArchived = isArchivedRefusal(error)
  const { title, text } = isArchived ? archivedProject : explain(status)
  return page({
    status,
    title,
    body: html`${heading(title)}
<p>${text}</p>
${!isArchived && reasonOf(error, status)}
<p>${ownerLink(call)}<a href="/">Go to the start page</a>${call.csrfToken === '' && html` or <a href="${signInAddress(call)}">sign in</a>`}.</p>`,
  })
}

/** The way back to what the page belongs to; a visitor of a page that is not there has none. */
function ownerLink({ params }: PageCall): Html | undefined {
  const path = params.project ?? params.group
  return path === undefined
    ? undefined
    : html`<a href="${address(...path.split('/'))}">Back to ${path}</a> or `
}

function statusOf(error: unknown): number {
  if (isUnsendable(error)) return 400
  return error instanceof StithyError && error.status !== null ? error.status : 500
}

/** What the API says, where people can do something about it; the id to find a failure in the log. */
function reasonOf(error: unknown, status: number): Html | undefined {
  if (!(error instanceof StithyError)) return undefined
  if (status >= 500) {
    return error.requestId === null
      ? undefined
      : html`<p class="muted">Request ${error.requestId}</p>`
  }
  return status === 404 ? undefined : html`<p class="muted">${error.message}</p>`
}
