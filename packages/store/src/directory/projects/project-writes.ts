import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { touchStamp } from '../../platform/queries/stamps.ts'
import type { NewRow, RowChanges } from '../../platform/schema/schema.ts'

/** A project being created: neither listed nor found until `publishProject`. */
export interface ProjectDraft {
  namespaceId: number
  /** Unique among projects, and no path that a user may choose. */
  placeholder: string
  runnersToken: string
  repositoryStorage: string
  /** Milliseconds since the epoch. */
  createdAt: number
}

/**
 * Reserves an id for a new project; the row stays hidden and takes no name that users could choose.
 */
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
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row.id
}

/** The settable columns of a project; the `Lower` columns are derived. */
export type ProjectChanges = Omit<
  RowChanges<'projects'>,
  'id' | 'nameLower' | 'pathLower' | 'fullPathLower'
>

/**
 * Updates a project. Names and paths are compared case-insensitively.
 * @throws UniqueViolationError if the name or the path is taken.
 */
export async function updateProject(
  tx: Transaction,
  id: number,
  changes: ProjectChanges,
): Promise<void> {
  await setColumns(tx, id, changes)
  touchStamp(tx, 'projects')
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
 * Publishes a draft. False if the draft no longer exists.
 * @throws UniqueViolationError if the name or the path is taken.
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
  touchStamp(tx, 'projects')
  return true
}

/** The number of projects in a user's personal namespace, and its limit. */
export interface PersonalQuota {
  used: number
  projectsLimit: number
  external: 0 | 1
  admin: 0 | 1
}

/** The quota of a personal namespace; exact only while that namespace is locked. */
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
