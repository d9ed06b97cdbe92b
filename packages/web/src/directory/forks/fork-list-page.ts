import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { heading } from '../../platform/design/heading.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { loadProject, projectPlace } from '../projects/project-place.ts'
import { projectRows } from '../projects/project-row.ts'

/** `GET /<project>/-/forks`: those that the viewer can see. */
export async function showForks(call: PageCall): Promise<Reply> {
  const path = projectPath(call)
  const [project, forks] = await loadAll([
    loadProject(call),
    call.client.projects.forks.list({
      projectId: path,
      order_by: 'last_activity_at',
      ...pageNumber(call.query),
    }),
  ])
  const self = projectAddress(path, 'forks')
  const create = buttonLink(`${self}/new`, 'Fork', 'primary')
  const list =
    forks.items.length === 0
      ? emptyState({
          title: 'No forks yet',
          text: 'A fork is a copy of your own, to propose changes from.',
          action: create,
        })
      : projectRows(forks.items, call.now)
  return page({
    title: `Forks · ${path}`,
    place: projectPlace(project, 'code'),
    body: html`${heading('Forks', create)}
${card({ body: list, isFlush: true })}
${pagination(forks, self, call.query)}`,
  })
}
