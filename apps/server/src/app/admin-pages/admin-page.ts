import { notFound } from '@stithy/core'
import type { Page, PageRequest } from '@stithy/store'
import { type Html, html } from '@stithy/web'
import type { FastifyReply } from 'fastify'
import type { Session } from '../../directory/authentication/session.ts'
import { type SignedInPage, withSession } from '../../directory/sign-in/browser.ts'
import { formText } from '../../directory/sign-in/form.ts'
import { type Page as HtmlPage, sendPage } from '../../directory/sign-in/page.ts'

export const adminPath = '/admin'

const tabs = [
  { path: adminPath, name: 'Overview' },
  { path: `${adminPath}/users`, name: 'Users' },
  { path: `${adminPath}/projects`, name: 'Projects' },
  { path: `${adminPath}/jobs`, name: 'Jobs' },
  { path: `${adminPath}/application_settings`, name: 'Settings' },
  { path: `${adminPath}/audit_events`, name: 'Audit log' },
] as const

type AdminPath = (typeof tabs)[number]['path']

/** Rows of one page of a table. */
const perPage = 50

/** Wraps a page for administrators; for other users it does not exist. */
export function adminOnly(page: SignedInPage) {
  return withSession((request, reply, session) => {
    if (!session.user.admin) throw notFound('Page')
    return page(request, reply, session)
  })
}

/** Sends a page of the administration area. */
export function sendAdminPage(
  reply: FastifyReply,
  session: Session,
  { path, ...page }: Omit<HtmlPage, 'area' | 'session'> & { path: AdminPath },
): FastifyReply {
  return sendPage(reply, { ...page, session, area: navigation(path) })
}

function navigation(current: AdminPath): Html {
  const items = tabs.map(
    ({ path, name }) =>
      html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${name}</a></li>`,
  )
  return html`<nav aria-label="Administration"><ul>${items}</ul></nav>`
}

/** The page that the query asks for; the first if it names none. */
export function pageOf(query: unknown): PageRequest {
  const text = formText(query, 'page')
  const page = /^\d{1,6}$/.test(text) ? Math.max(1, Number(text)) : 1
  return { page, perPage }
}

/** The text that a list is searched for; undefined without one. */
export function searchOf(query: unknown): string | undefined {
  return formText(query, 'search').trim().slice(0, maxSearchLength) || undefined
}

const maxSearchLength = 255

interface List {
  path: AdminPath
  search?: string | undefined
}

/** The form that searches a list. */
export function searchForm({ path, search }: List, label: string): Html {
  return html`<form class="search" method="get" action="${path}" role="search">
<div class="field"><label for="search">${label}</label>
<input id="search" name="search" type="text" value="${search ?? ''}" maxlength="${maxSearchLength}"></div>
<button type="submit">Search</button>
</form>`
}

/** Links to the pages before and after this one. */
export function pager({ page, perPage: size, total }: Page<unknown>, list: List): Html | undefined {
  const last = Math.max(1, Math.ceil(total / size))
  if (last === 1) return undefined
  const link = (to: number, text: string) => {
    const query = new URLSearchParams({ page: String(to) })
    if (list.search !== undefined) query.set('search', list.search)
    return html`<li><a href="${list.path}?${query.toString()}">${text}</a></li>`
  }
  return html`<nav aria-label="Pages"><ul>
${page > 1 && link(Math.min(page - 1, last), 'Previous page')}
<li>Page ${page} of ${last}</li>
${page < last && link(page + 1, 'Next page')}
</ul></nav>`
}
