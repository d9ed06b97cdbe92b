import { decideOnSnippet, notFound, type SnippetAbility } from '@stithy/core'
import { findSnippet } from '@stithy/store'
import type { App } from '../app.ts'
import { enforce } from '../http/authorize.ts'
import type { Caller } from '../http/call.ts'
import type { SnippetItem } from '../items/item.ts'
import { loadProject, type ProjectSubject } from '../projects/project-subject.ts'

/**
 * The snippet with this id, of the project or, where that is undefined, a personal one.
 * @throws DomainError `not_found` where it is hidden, `forbidden` where it is only readable; a personal one
 *   that the caller may only read is not found, as it is not theirs (catalogue: planning, 6).
 */
export async function requireSnippet(
  app: App,
  caller: Caller,
  project: ProjectSubject | undefined,
  id: number,
  ability: SnippetAbility = 'read_snippet',
): Promise<SnippetItem> {
  const row = await findSnippet(app.db, id)
  if (row === undefined || row.projectId !== (project?.row.id ?? null)) throw notFound('Snippet')
  const decide = (name: SnippetAbility) => decideOnSnippet(name, caller.facts, project?.facts, row)
  if (!decide('read_snippet').allowed) throw notFound('Snippet')
  if (project === undefined && !decide(ability).allowed) throw notFound('Snippet')
  enforce(decide(ability), caller)
  return { type: 'snippet', row, project }
}

/** The snippet with this id, wherever it is, if the caller may read it. @throws DomainError `not_found` */
export async function requireAnySnippet(
  app: App,
  caller: Caller,
  id: number,
): Promise<SnippetItem> {
  const row = await findSnippet(app.db, id)
  if (row === undefined) throw notFound('Snippet')
  const { projectId } = row
  const project = projectId === null ? undefined : await loadProject(app, String(projectId), caller)
  if (projectId !== null && project === undefined) throw notFound('Snippet')
  if (!decideOnSnippet('read_snippet', caller.facts, project?.facts, row).allowed) {
    throw notFound('Snippet')
  }
  return { type: 'snippet', row, project }
}
