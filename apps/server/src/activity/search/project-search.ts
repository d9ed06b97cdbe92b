import type { FoundProject, Project } from '@stithy/core'
import type { Page, ProjectListScope } from '@stithy/store'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import { loadProjectsPage } from '../../directory/projects/list/project-list.service.ts'
import type { SearchRequest } from './search-request.ts'

/** Projects by name, path or description. */
export function searchProjects(request: SearchRequest): Promise<Page<FoundProject>> {
  return findProjects(request, { kind: 'anywhere' })
}

/** Projects of a group and its subgroups. */
export function searchGroupProjects(
  request: SearchRequest<GroupSubject>,
): Promise<Page<FoundProject>> {
  const groupId = request.subject.row.id
  return findProjects(request, { kind: 'group', groupId, subgroups: true, shared: false })
}

async function findProjects(
  { app, caller, query, page }: SearchRequest<unknown>,
  scope: ProjectListScope,
): Promise<Page<FoundProject>> {
  const filter = { search: query.search, simple: true }
  const found = await loadProjectsPage(app, caller.facts, scope, filter, page)
  return { ...found, items: found.items.map(presentFoundProject) }
}

function presentFoundProject({ readme_url: _, ...found }: Project): FoundProject {
  return found
}
