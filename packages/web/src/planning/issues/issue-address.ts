import { projectAddress, withQuery } from '../../platform/text/addresses.ts'
import { filterTerm } from '../items/filter-text.ts'

/** The address of an issue of a project. */
export function issueAddress(project: string, iid: number | string): string {
  return projectAddress(project, 'issues', iid)
}

/** The list of the open issues of a project with a label. */
export function issuesWithLabel(project: string, title: string): string {
  return withQuery(projectAddress(project, 'issues'), { filter: filterTerm('label', title) })
}
