import { listProjectSizes, listProjectsSimply, type SimpleProjectRow } from '@stithy/store'
import { type Html, html } from '@stithy/web'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { callerOf } from '../../platform/http/call.ts'
import {
  adminOnly,
  adminPath,
  pageOf,
  pager,
  searchForm,
  searchOf,
  sendAdminPage,
} from './admin-page.ts'
import { formatBytes, formatTime } from './formats.ts'

const path = `${adminPath}/projects` as const

/** Registers the list of all projects, with what they take on the disk. */
export function registerProjectsPage(server: FastifyInstance, app: App): void {
  server.get(
    path,
    adminOnly(async (request, reply, session) => {
      const search = searchOf(request.query)
      const { facts: caller } = callerOf(session.user)
      const filter = { caller, today: dayOf(app.now()), search }
      const projects = await listProjectsSimply(app.db, filter, pageOf(request.query))
      const ids = projects.items.map(({ id }) => id)
      const sizes = await listProjectSizes(app.db, ids)
      return sendAdminPage(reply, session, {
        path,
        title: 'Projects',
        body: html`${searchForm({ path, search }, 'Name, path or description')}
<section class="scroll">${projectTable(projects.items, sizes)}${pager(projects, { path, search })}</section>`,
      })
    }),
  )
}

function projectTable(
  projects: readonly SimpleProjectRow[],
  sizes: ReadonlyMap<number, number>,
): Html {
  if (projects.length === 0) return html`<p>No project was found.</p>`
  const rows = projects.map(
    ({ id, fullPath, visibility, archived, lastActivityAt }) => html`<tr>
<td>${fullPath}${archived === 1 && ' (archived)'}</td><td>${visibility}</td>
<td class="number">${formatBytes(sizes.get(id) ?? 0)}</td><td class="time">${formatTime(lastActivityAt)}</td></tr>
`,
  )
  return html`<table>
<thead><tr><th scope="col">Path</th><th scope="col">Visibility</th><th scope="col" class="number">Storage</th><th scope="col">Last activity</th></tr></thead>
<tbody>${rows}</tbody>
</table>`
}
