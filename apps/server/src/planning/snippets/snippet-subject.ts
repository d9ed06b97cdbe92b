import { personalSnippetPolicy, snippetPolicy } from '@stithy/core'
import { findSnippet } from '@stithy/store'
import { loadProject, type ProjectSubject } from '../../directory/projects/project-subject.ts'
import { type SubjectRequest, subjectType } from '../../platform/http/subjects.ts'
import type { ProjectSnippetItem, SnippetItem } from '../items/item.ts'

declare module '../../platform/http/subjects.ts' {
  interface Subjects {
    snippet: ProjectSnippetItem
    personal_snippet: SnippetItem
  }
}

/** The snippet of `:snippet_id` in a project. */
export const snippetSubjectType = subjectType({
  policy: snippetPolicy,
  find: findOfProject,
  factsOf: ({ row, project }: ProjectSnippetItem) => ({ project: project.facts, snippet: row }),
})

async function findOfProject({
  app,
  params,
  parent: project,
}: SubjectRequest<ProjectSubject>): Promise<ProjectSnippetItem | undefined> {
  const row = await findSnippet(app.db, Number(params.snippet_id))
  return row?.projectId === project.row.id ? { type: 'snippet', row, project } : undefined
}

/** The snippet of `:snippet_id`, personal or of any project. */
export const personalSnippetSubjectType = subjectType({
  policy: personalSnippetPolicy,
  find: findAny,
  factsOf: ({ row, project }: SnippetItem) => ({ project: project?.facts, snippet: row }),
})

async function findAny({ app, caller, params }: SubjectRequest): Promise<SnippetItem | undefined> {
  const row = await findSnippet(app.db, Number(params.snippet_id))
  if (row === undefined) return undefined
  if (row.projectId === null) return { type: 'snippet', row, project: undefined }
  const project = await loadProject(app, String(row.projectId), caller)
  return project && { type: 'snippet', row, project }
}
