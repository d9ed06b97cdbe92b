import { groupPlace, loadGroup } from '../../directory/groups/group-place.ts'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { loadProjectsOf } from '../../directory/projects/projects-by-id.ts'
import { card } from '../../platform/design/card.ts'
import { heading } from '../../platform/design/heading.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { shortBodies } from '../../platform/pages/short-bodies.ts'
import { groupAddress, projectAddress } from '../../platform/text/addresses.ts'
import { eventRows } from './event-list.ts'

/** `GET /<project>/-/activity`: what was done in it. */
export async function showProjectActivity(call: PageCall): Promise<Reply> {
  const { client, query } = call
  const projectId = projectPath(call)
  const [project, events] = await loadAll([
    loadProject(call),
    client.events.list({ ...shortBodies, projectId, ...pageNumber(query) }),
  ])
  const path = project.path_with_namespace
  const list = eventRows(events.items, new Map([[project.id, project]]), call.now)
  return page({
    title: `Activity · ${path}`,
    place: projectPlace(project, 'activity'),
    body: html`${heading('Activity')}
${card({ body: list, isFlush: true })}
${pagination(events, projectAddress(path, 'activity'), query)}`,
  })
}

/** `GET /groups/<group>/-/activity`: what was done in its projects. */
export async function showGroupActivity(call: PageCall): Promise<Reply> {
  const { client, query, params } = call
  const groupId = params.group ?? ''
  const [group, [events, projects]] = await loadAll([
    loadGroup(call),
    client.events
      .list({ groupId, ...shortBodies, ...pageNumber(query) })
      .then(async (found) => [found, await loadProjectsOf(client, found.items)] as const),
  ])
  const path = group.full_path
  return page({
    title: `Activity · ${path}`,
    place: groupPlace(group, 'activity'),
    body: html`${heading('Activity')}
${card({ body: eventRows(events.items, projects, call.now), isFlush: true })}
${pagination(events, groupAddress(path, 'activity'), query)}`,
  })
}

/** `GET /dashboard/activity`: what the viewer did. */
export async function showOwnActivity(call: PageCall): Promise<Reply> {
  const { client, query } = call
  const events = await client.events.list({ ...shortBodies, ...pageNumber(query) })
  const projects = await loadProjectsOf(client, events.items)
  return page({
    title: 'Your activity',
    body: html`${heading('Your activity')}
${card({ body: eventRows(events.items, projects, call.now), isFlush: true })}
${pagination(events, '/dashboard/activity', query)}`,
  })
}
