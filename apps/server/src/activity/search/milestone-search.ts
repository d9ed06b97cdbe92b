import type { Milestone } from '@stithy/core'
import { type MilestoneSearchScope, type Page, searchMilestones } from '@stithy/store'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import { withDescriptions } from '../../planning/items/lists/listed-descriptions.ts'
import { presentMilestones } from '../../planning/milestones/milestone.presenter.ts'
import { type SearchRequest, textSearch } from './search-request.ts'

/** Milestones of all projects and groups. */
export function searchAllMilestones(request: SearchRequest): Promise<Page<Milestone>> {
  return findMilestones(request, { kind: 'anywhere' })
}

/** Milestones of a group, its subgroups and the projects of all these. */
export function searchGroupMilestones(
  request: SearchRequest<GroupSubject>,
): Promise<Page<Milestone>> {
  return findMilestones(request, { kind: 'group', groupId: request.subject.row.id })
}

export function searchProjectMilestones(
  request: SearchRequest<ProjectSubject>,
): Promise<Page<Milestone>> {
  return findMilestones(request, { kind: 'project', projectId: request.subject.row.id })
}

async function findMilestones(
  request: SearchRequest<unknown>,
  scope: MilestoneSearchScope,
): Promise<Page<Milestone>> {
  const { app, query, page } = request
  const found = await searchMilestones(app.db, { ...textSearch(request), scope }, page)
  const { max_description_length: maxLength } = query
  const rows = withDescriptions(app, 'milestones', found.items, maxLength)
  return { ...found, items: presentMilestones(app.config, rows) }
}
