import { renameProjectInRemarks } from '../notes/remark-paths.ts'
import type { Queries, Transaction } from '../queries.ts'
import type { NewRow, RowChanges } from '../schema/schema.ts'
import { touchStamp } from '../stamps.ts'

/** A project on its way: neither listed nor found until `publishProject`. */
export interface ProjectDraft {
  namespaceId: number
  /** Unlike any other project's, and unlike any path that a user may choose. */
  placeholder: string
  runnersToken: string
  repositoryStorage: string
  /** Milliseconds since the epoch. */
  createdAt: number
}

/** Takes an id for a new project; the row stays hidden and holds no name that users could want. */
export async function insertProjectDraft(tx: Transaction, draft: ProjectDraft): Promise<number> {
  const row = await tx.first('projects.draft', draft, (db, $) =>
    db
      .insertInto('projects')
      .values({
        namespaceId: $('namespaceId'),
        name: $('placeholder'),
        nameLower: $('placeholder'),
        path: $('placeholder'),
        pathLower: $('placeholder'),
        fullPath: $('placeholder'),
        fullPathLower: $('placeholder'),
        visibility: 'private',
        runnersToken: $('runnersToken'),
        repositoryStorage: $('repositoryStorage'),
        repositoryPath: '',
        requestAccessEnabled: 1,
        lastActivityAt: $('createdAt'),
        createdAt: $('createdAt'),
        updatedAt: $('createdAt'),
        deletedAt: $('createdAt'),
      })
      .returning('id'),
  )
  if (row === undefined) throw new TypeError('An insert answered no row')
  return row.id
}

/** What may be set of a project; `Lower` columns follow from the others. */
export type ProjectChanges = Omit<
  RowChanges<'projects'>,
  'id' | 'nameLower' | 'pathLower' | 'fullPathLower'
>

/**
 * Sets columns of a project. Names and paths are compared without case; remarks elsewhere follow a new path.
 * @throws UniqueViolationError when the name or the path is taken.
 */
export async function updateProject(
  tx: Transaction,
  id: number,
  changes: ProjectChanges,
): Promise<void> {
  const { fullPath } = changes
  if (fullPath !== undefined) {
    await renameProjectInRemarks(tx, { projectId: id, newPath: fullPath })
  }
  await setColumns(tx, id, changes)
  await touchStamp(tx, 'projects')
}

async function setColumns(tx: Transaction, id: number, changes: ProjectChanges): Promise<number> {
  const set: Record<string, unknown> = { ...changes }
  for (const name of ['name', 'path', 'fullPath'] as const) {
    const value = changes[name]
    if (value !== undefined) set[`${name}Lower`] = value.toLowerCase()
  }
  const names = Object.keys(set)
    .filter((name) => set[name] !== undefined)
    .toSorted()
  if (names.length === 0) return 0
  const args: Record<string, unknown> = { projectId: id }
  for (const name of names) args[name] = set[name]
  const { changes: changed } = await tx.run(`projects.update|${names.join(',')}`, args, (db, $) =>
    db
      .updateTable('projects')
      .set(Object.fromEntries(names.map((name) => [name, $(name)])) as RowChanges<'projects'>)
      .where('id', '=', $('projectId') as number),
  )
  return changed
}

/**
 * Ends the draft: the project is there from now on. False when the draft is gone.
 * @throws UniqueViolationError when the name or the path is taken.
 */
export async function publishProject(
  tx: Transaction,
  id: number,
  values: ProjectChanges & Required<Pick<NewRow<'projects'>, 'name' | 'path' | 'fullPath'>>,
): Promise<boolean> {
  const changed = await setColumns(tx, id, { ...values, deletedAt: null })
  if (changed === 0) return false
  await tx.run('projects.statistics.insert', { projectId: id }, (db, $) =>
    db.insertInto('projectStatistics').values({ projectId: $('projectId'), updatedAt: 0 }),
  )
  await touchStamp(tx, 'projects')
  return true
}

/** How many projects the personal namespace of a user holds, and how many it may. */
export interface PersonalQuota {
  used: number
  projectsLimit: number
  external: 0 | 1
  admin: 0 | 1
}

/** The room in a personal namespace; counts for certain only while that namespace is locked. */
export function findPersonalQuota(q: Queries, userId: number): Promise<PersonalQuota | undefined> {
  return q.first('projects.personal-quota', { userId }, (db, $) =>
    db
      .selectFrom('users as u')
      .where('u.id', '=', $('userId'))
      .select(['u.projectsLimit', 'u.external', 'u.admin'])
      .select((eb) =>
        eb
          .selectFrom('projects as p')
          .innerJoin('namespaces as n', 'n.id', 'p.namespaceId')
          .whereRef('n.ownerId', '=', 'u.id')
          .where('p.deletedAt', 'is', null)
          .select((p) => p.fn.countAll<number>().as('used'))
          .$asScalar()
          .$notNull()
          .as('used'),
      ),
  )
}
