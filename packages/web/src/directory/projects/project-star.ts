import { StithyError } from '@stithy/client'
import type { Project } from '@stithy/core'
import { count } from '../../platform/design/badge.ts'
import { actionButton } from '../../platform/design/button.ts'
import { icon } from '../../platform/design/icon.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'

/** Whether the viewer has starred a project; false for visitors. */
export async function hasStarred(
  { client, csrfToken }: Pick<PageCall, 'client' | 'csrfToken'>,
  project: Pick<Project, 'id'>,
): Promise<boolean> {
  if (csrfToken === '') return false
  const found = await client.projects.list({ ids: [project.id], starred: true, simple: true })
  return found.items.length > 0
}

/** The button that stars a project, or takes the star away, and a link to who has starred it. */
export function starButton(call: PageCall, project: Project, isStarred: boolean): Html {
  const path = project.path_with_namespace
  const action = isStarred ? 'unstar' : 'star'
  const text = isStarred ? html`${icon('star-fill')} Unstar` : html`${icon('star')} Star`
  return html`${call.csrfToken !== '' && actionButton(call, { action: projectAddress(path, action), text })}
<a class="button quiet" href="${projectAddress(path, 'starrers')}" aria-label="${project.star_count} stars">${call.csrfToken === '' && icon('star')}${count(project.star_count)}</a>`
}

/** `POST /<project>/-/star`. */
export function star(call: PageCall): Promise<Reply> {
  return change(call, call.client.projects.star)
}

/** `POST /<project>/-/unstar`. */
export function unstar(call: PageCall): Promise<Reply> {
  return change(call, call.client.projects.unstar)
}

/** Pressing a button twice does the same as pressing it once. */
async function change(
  { params }: PageCall,
  apply: (input: { projectId: string }) => Promise<Project>,
): Promise<Reply> {
  const projectId = params.project ?? ''
  try {
    await apply({ projectId })
  } catch (error) {
    if (!(error instanceof StithyError) || error.status !== 304) throw error
  }
  return redirect(projectAddress(projectId))
}
