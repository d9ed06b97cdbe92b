import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { heading } from '../../platform/design/heading.ts'
import { html } from '../../platform/html/html.ts'
import { ifPermitted } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { listMilestoneChoices } from '../items/milestone-choice.ts'
import { projectRights } from '../items/project-rights.ts'
import { bulkEditForm } from './bulk-edit.ts'
import { issueList, issueListQuery, issueMenus } from './issue-list.ts'

/** Labels that the menu of filters offers. */
const offeredLabels = 50

/** `GET /<project>/-/issues`: the issues of a project. */
export async function showIssues(call: PageCall): Promise<Reply> {
  const { client } = call
  const projectId = projectPath(call)
  const viewer = await call.viewer()
  const { filter, listed, counted } = issueListQuery(call, viewer)
  const [project, issues, counts, labels, milestones] = await loadAll([
    loadProject(call),
    client.issues.list({ projectId, ...listed }),
    ifPermitted(client.issues.statistics({ projectId, ...counted })),
    ifPermitted(client.labels.list({ projectId, per_page: offeredLabels })),
    listMilestoneChoices(call, projectId),
  ])
  const rights = projectRights(project, viewer)
  const self = projectAddress(projectId, 'issues')
  const create = rights.maySpeak ? buttonLink(`${self}/new`, 'New issue', 'primary') : undefined
  const list = issueList({
    call,
    self,
    issues,
    counts,
    filter,
    create,
    menus: issueMenus(labels?.items ?? [], milestones),
    isSelectable: rights.mayPlan,
    wrap: (rows) => (rights.mayPlan ? bulkEditForm(call, self, milestones, rows) : rows),
  })
  const links = [
    buttonLink(projectAddress(projectId, 'labels'), 'Labels'),
    buttonLink(projectAddress(projectId, 'milestones'), 'Milestones'),
  ]
  return page({
    title: `Issues · ${projectId}`,
    place: projectPlace(project, 'issues'),
    body: html`${heading('Issues', [...links, ...(create === undefined ? [] : [create])])}
${list}`,
  })
}
