import { type CallerFacts, decideOnProject, type ReferenceTarget } from '@stithy/core'
import { listMentionedProjects } from '@stithy/store'
import { type ProjectSubject, projectFacts } from '../../../directory/projects/project-subject.ts'
import type { App } from '../../../platform/app.ts'
import { dayOf } from '../../../platform/calendar/day.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { ResolvedReference } from '../../../platform/text/rendering/render-context.ts'

/** The caller for whom references are resolved, and the project of the text. */
export interface Reader {
  app: App
  caller: Caller
  project: ProjectSubject | undefined
}

/** Targets of references by their keys. */
export type References<T> = ReadonlyMap<string, T>

/** Resolved references by their keys. */
export type ResolvedReferences = Map<string, ResolvedReference>

/** The full path, in lower case, of the project of a reference. */
export function projectPath(
  { path }: { path: string | null },
  { project }: Reader,
): string | undefined {
  if (path === null) return project?.row.fullPath.toLowerCase()
  if (path.includes('/')) return path.toLowerCase()
  return project && `${project.row.namespaceFullPath}/${path}`.toLowerCase()
}

/** The shortest path from the text: empty in its project, one segment in its namespace. */
export function shortPath(fullPath: string, { project }: Reader): string {
  if (project === undefined) return fullPath
  if (project.row.fullPath === fullPath) return ''
  const prefix = `${project.row.namespaceFullPath}/`
  const relativePath = fullPath.startsWith(prefix) ? fullPath.slice(prefix.length) : '/'
  return relativePath.includes('/') ? fullPath : relativePath
}

/** The visible projects of references, by full path in lower case. At most one query. */
export async function findReferenceParents(
  reader: Reader,
  references: Iterable<Extract<ReferenceTarget, { path: string | null }>>,
): Promise<ReadonlyMap<string, ProjectSubject>> {
  const { app, caller, project } = reader
  const found = new Map<string, ProjectSubject>()
  if (project !== undefined) found.set(project.row.fullPath.toLowerCase(), project)
  const parentPaths = [...references].flatMap((reference) => projectPath(reference, reader) ?? [])
  const paths = [...new Set(parentPaths)].filter((path) => !found.has(path))
  if (paths.length === 0) return found
  const rows = await listMentionedProjects(app.db, { ...viewerOf(reader), paths })
  for (const row of rows) {
    const facts = projectFacts(row, row, caller.facts)
    if (!isVisible(caller.facts, facts)) continue
    found.set(row.fullPath.toLowerCase(), { row, facts })
  }
  return found
}

function isVisible(caller: CallerFacts, facts: ProjectSubject['facts']): boolean {
  return decideOnProject('read_project', caller, facts).allowed
}

/** The user whose memberships count. */
export function viewerOf({ app, caller }: Reader): { userId: number; today: string } {
  return { userId: caller.facts.userId ?? 0, today: dayOf(app.now()) }
}
