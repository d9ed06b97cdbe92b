import type { Project } from '@stithy/core'
import { squareAvatar } from '../../platform/design/avatar.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { heading } from '../../platform/design/heading.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { signInAddress } from '../../platform/pages/sign-in-address.ts'
import { localPath } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'

/** `/projects`: those that the viewer is a member of; `/explore`: all that the viewer may see. */
export async function showProjects(call: PageCall): Promise<Reply> {
  const isExplore = call.address.startsWith('/explore')
  if (!isExplore && call.csrfToken === '') return redirect(signInAddress(call))
  const projects = await call.client.projects.list({
    ...pageNumber(call.query),
    order_by: 'last_activity_at',
    ...(isExplore ? {} : { membership: true }),
  })
  const title = isExplore ? 'Explore projects' : 'Your projects'
  const create = buttonLink('/projects/new', 'New project', 'primary')
  const list =
    projects.items.length === 0
      ? emptyState({ title: 'No projects yet', action: create })
      : rows(projects.items.map((project) => projectRow(project, call.now)))
  return page({
    title,
    body: html`${heading(title, create)}
${card({ body: list, isFlush: true })}
${pagination(projects, isExplore ? '/explore' : '/projects', call.query)}`,
  })
}

function projectRow(project: Project, now: number): Html {
  return row({
    start: squareAvatar(project),
    title: html`<a class="title" href="${localPath(project.web_url)}">${project.path_with_namespace}</a>`,
    details: html`${project.description ?? ''}`,
    end: html`updated ${timeAgo(project.last_activity_at, now)}`,
  })
}
