import { StithyError } from '@stithy/client'
import { heading } from '../design/heading.ts'
import { isUnsendable } from '../forms/unsendable.ts'
import { type Html, html } from '../html/html.ts'
import { address } from '../text/addresses.ts'
import type { PageCall } from './page-call.ts'
import { isArchivedRefusal } from './refusal.ts'
import { type PageReply, page } from './reply.ts'
import { signInAddress } from './sign-in-address.ts'

interface Explanation {
  title: string
  text: string
}

const explanations: Readonly<Record<number, Explanation>> = {
  400: {
    title: 'That did not work',
    text: 'The address or the form has a value that is not valid.',
  },
  401: { title: 'Please sign in again', text: 'Your session has ended. Nothing was changed.' },
  403: {
    title: 'You may not do that',
    text: 'It needs a higher role, or something that is switched off here. An owner of the project or group may change that.',
  },
  404: {
    title: 'Page not found',
    text: 'It does not exist, was moved or deleted, or you have no access to it.',
  },
  409: { title: 'That was changed meanwhile', text: 'Go back, reload the page, and try again.' },
  412: {
    title: 'That was changed meanwhile',
    text: 'What is there now is not what the request was meant for.',
  },
  413: { title: 'That is too large', text: 'Send less at once.' },
  416: {
    title: 'There is no such part',
    text: 'The request asks for a part of the file that lies behind its end.',
  },
  429: { title: 'Too many requests', text: 'Wait a minute, then try again.' },
  503: { title: 'The server is busy', text: 'Wait a moment, then try again.' },
}

const archivedProject = {
  title: 'You may not do that',
  text: 'This project is archived: it can be read, but not changed until it is unarchived.',
}

const failure = {
  title: 'Something went wrong here',
  text: 'The server could not build this page.',
}

/** The page for a call that failed; the status is that of the API. */
export function errorPage(error: unknown, call: PageCall): PageReply {
  const status = statusOf(error)
  const isArchived = isArchivedRefusal(error)
  const { title, text } = isArchived ? archivedProject : (explanations[status] ?? failure)
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
