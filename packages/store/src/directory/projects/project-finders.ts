import type { Queries } from '../../platform/queries/queries.ts'
import type { ViewerArgs } from '../members/memberships.ts'
import { levelColumns, type ProjectLevels } from './project-access.ts'
import { fromProjects, fullColumns, type ProjectRow, type SimpleProjectRow } from './project-row.ts'

/** By id, or by the lower-cased full path. */
export type ProjectKey = { id: number } | { fullPathLower: string }

/** An existing project, or undefined. */
export function findProject(q: Queries, key: ProjectKey): Promise<ProjectRow | undefined> {
  if ('id' in key) {
    return q.first('projects.find.id', key, (db, $) =>
      fromProjects(db).where('p.id', '=', $('id')).select(fullColumns),
    )
  }
  return q.first('projects.find.path', key, (db, $) =>
    fromProjects(db).where('p.fullPathLower', '=', $('fullPathLower')).select(fullColumns),
  )
}

/** An existing project with the levels of one user in it. One query. */
export function findProjectFor(
  q: Queries,
  key: ProjectKey,
  viewer: ViewerArgs,
): Promise<(ProjectRow & ProjectLevels) | undefined> {
  if ('id' in key) {
    return q.first('projects.find.id.levels', { ...key, ...viewer }, (db, $) =>
      fromProjects(db)
        .where('p.id', '=', $('id'))
        .select(fullColumns)
        .select((eb) => levelColumns(eb, $)),
    )
  }
  return q.first('projects.find.path.levels', { ...key, ...viewer }, (db, $) =>
    fromProjects(db)
      .where('p.fullPathLower', '=', $('fullPathLower'))
      .select(fullColumns)
      .select((eb) => levelColumns(eb, $)),
  )
}

/** Which names of a project are taken in its namespace; `exceptId` is the project itself. */
export async function findTakenProjectNames(
  q: Queries,
  args: { namespaceId: number; name: string; path: string; fullPath: string; exceptId: number },
): Promise<{ name: boolean; path: boolean }> {
  const lowered = {
    namespaceId: args.namespaceId,
    exceptId: args.exceptId,
    nameLower: args.name.toLowerCase(),
    pathLower: args.path.toLowerCase(),
    wikiTwin: wikiTwinOf(args.path.toLowerCase()),
    fullPathLower: args.fullPath.toLowerCase(),
  }
  const rows = await q.all('projects.taken', lowered, (db, $) =>
    db
      .selectFrom('projects')
      .select(['nameLower', 'pathLower'])
      .where('namespaceId', '=', $('namespaceId'))
      .where('id', '!=', $('exceptId'))
      .where((eb) =>
        eb.or([
          eb('nameLower', '=', $('nameLower')),
          eb('pathLower', '=', $('pathLower')),
          eb('pathLower', '=', $('wikiTwin')),
        ]),
      )
      .unionAll(
        db
          .selectFrom('namespaces')
          .select((eb) => [eb.val('').as('nameLower'), 'pathLower'])
          .where('fullPathLower', '=', $('fullPathLower')),
      ),
  )
  return {
    name: rows.some((row) => row.nameLower === lowered.nameLower),
    path: rows.some(({ pathLower }) => [lowered.pathLower, lowered.wikiTwin].includes(pathLower)),
  }
}

/** The other path that git would confuse with the wiki of a project: `a` and `a.wiki`. */
function wikiTwinOf(path: string): string {
  return path.endsWith('.wiki') ? path.slice(0, -'.wiki'.length) : `${path}.wiki`
}

/** The default branch of a project; null without one, and for a missing project. */
export async function findDefaultBranch(q: Queries, id: number): Promise<string | null> {
  const row = await q.first('projects.default-branch', { id }, (db, $) =>
    db.selectFrom('projects').select('defaultBranch').where('id', '=', $('id')),
  )
  return row?.defaultBranch ?? null
}

/** The visibility of an existing project, or undefined. */
export async function findProjectVisibility(
  q: Queries,
  id: number,
): Promise<SimpleProjectRow['visibility'] | undefined> {
  const row = await q.first('projects.visibility', { id }, (db, $) =>
    db
      .selectFrom('projects')
      .select('visibility')
      .where('id', '=', $('id'))
      .where('deletedAt', 'is', null),
  )
  return row?.visibility
}
