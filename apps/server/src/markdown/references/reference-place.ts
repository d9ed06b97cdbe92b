import { type CallerFacts, decideOnProject, type ReferenceTarget } from '@stithy/core'
import { listNamedProjects } from '@stithy/store'
import type { App } from '../../app.ts'
import type { Caller } from '../../http/call.ts'
import { dayOf } from '../../members/day.ts'
import { type ProjectSubject, projectFacts } from '../../projects/project-subject.ts'
import type { ResolvedReference } from '../rendering/render-context.ts'

/** For whom references are looked up, and in the text of which project. */
export interface Reader {
  app: App
  caller: Caller
  project: ProjectSubject | undefined
}

/** References of one kind, or of a few, by their keys. */
export type Wanted<T> = ReadonlyMap<string, T>

/** What was found, by the keys of the references to it. */
export type Found = Map<string, ResolvedReference>

/** The full path, in lower case, of the project that a reference means. */
export function placeOf(
  { path }: { path: string | null },
  { project }: Reader,
): string | undefined {
  if (path === null) return project?.row.fullPath.toLowerCase()
  if (path.includes('/')) return path.toLowerCase()
  return project && `${project.row.namespaceFullPath}/${path}`.toLowerCase()
}

/** A path as short as it can be from the project of the text: none for itself, one name for its neighbours. */
export function shortPath(fullPath: string, { project }: Reader): string {
  if (project === undefined) return fullPath
  if (project.row.fullPath === fullPath) return ''
  const around = `${project.row.namespaceFullPath}/`
  const within = fullPath.startsWith(around) ? fullPath.slice(around.length) : '/'
  return within.includes('/') ? fullPath : within
}

/** The projects that references name, as far as the reader may see them, by path. At most one query. */
export async function findPlaces(
  reader: Reader,
  references: Iterable<Extract<ReferenceTarget, { path: string | null }>>,
): Promise<ReadonlyMap<string, ProjectSubject>> {
  const { app, caller, project } = reader
  const found = new Map<string, ProjectSubject>()
  if (project !== undefined) found.set(project.row.fullPath.toLowerCase(), project)
  const named = [...references].flatMap((reference) => placeOf(reference, reader) ?? [])
  const paths = [...new Set(named)].filter((path) => !found.has(path))
  if (paths.length === 0) return found
  const rows = await listNamedProjects(app.db, { ...viewerOf(reader), paths })
  for (const row of rows) {
    const facts = projectFacts(row, row, caller.facts)
    if (!maySee(caller.facts, facts)) continue
    found.set(row.fullPath.toLowerCase(), { row, facts })
  }
  return found
}

function maySee(caller: CallerFacts, facts: ProjectSubject['facts']): boolean {
  return decideOnProject('read_project', caller, facts).allowed
}

/** Whose memberships count. */
export function viewerOf({ app, caller }: Reader): { userId: number; today: string } {
  return { userId: caller.facts.userId ?? 0, today: dayOf(app.now()) }
}
