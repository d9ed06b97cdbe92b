import { projectAddress, withQuery } from '../../platform/text/addresses.ts'

/** The address of an issue of a project. */
export function issueAddress(project: string, iid: number | string): string {
  return projectAddress(project, 'issues', iid)
}

/** The list of the open issues of a project with a label. */
export function issuesWithLabel(project: string, title: string): string {
  return withQuery(projectAddress(project, 'issues'), { filter: filterTerm('label', title) })
}

/** A word of the field of filters: `label:bug`, `milestone:"1.0 beta"`. */
export function filterTerm(name: string, value: string): string {
  return /[\s"]/.test(value) ? `${name}:"${value.replaceAll('"', '')}"` : `${name}:${value}`
}
