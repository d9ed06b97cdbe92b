import { sql } from 'kysely'
import type { DialectName, Queries, Transaction } from './queries.ts'
import { inList } from './sql.ts'

/** What belongs to projects, and is versioned for each of them and for all together. */
export type ProjectStampName =
  | 'deployments'
  | 'environments'
  | 'events'
  | 'issues'
  | 'mergeRequests'
  | 'protectedRefs'
  | 'snippets'

/** The versioned inputs of lists of the whole instance; see `countRows`. */
export type StampName = 'projects' | 'groups' | 'users' | 'members' | 'epics' | ProjectStampName

/** An input of a list: of the whole instance, or of one project (`issues:12`). */
export type Stamp = StampName | `${ProjectStampName}:${number}`

/** The stamp of what belongs to a project, or to none. */
export function stampOf<Name extends ProjectStampName>(
  name: Name,
  projectId: number | null,
): `${Name}:${number}` {
  return `${name}:${projectId ?? 0}`
}

/** The versions of stamps, as far as they were read. */
export type Versions = { readonly [Name in Stamp]?: number }

/**
 * How many rows hold the version of an input of the instance: it is their sum, and a transaction
 * raises any of them. On PostgreSQL a row that was raised is locked until the commit, which writers
 * to different projects would otherwise wait for; SQLite has one writer.
 */
const shards: Readonly<Record<DialectName, number>> = { sqlite: 1, postgres: 64 }

const projectNames: ReadonlySet<string> = new Set<ProjectStampName>([
  'deployments',
  'environments',
  'events',
  'issues',
  'mergeRequests',
  'protectedRefs',
  'snippets',
])

/** The row that is part of the version of every project. */
const everyProject = '*'

/**
 * Tells every process that lists may have changed their length, in the transaction of the change:
 * `issues:12` for those with issues of this project, `issues` for those with issues of any. The
 * rows are written directly before the commit, since on PostgreSQL other transactions that change
 * the same project wait for them until then.
 */
export function touchStamp(tx: Transaction, ...stamps: Stamp[]): void {
  for (const stamp of stamps) {
    const [name = '', projectId] = stamp.split(':')
    raise(tx, name, Math.floor(Math.random() * shards[tx.dialect]))
    if (projectNames.has(name)) raise(tx, `${name}:${projectId ?? everyProject}`, 0)
  }
}

/** Touches the lists of issues and merge requests of a project; of every project for null. */
export function touchItemStamps(tx: Transaction, projectId: number | null): void {
  if (projectId === null) touchStamp(tx, 'issues', 'mergeRequests')
  else touchStamp(tx, stampOf('issues', projectId), stampOf('mergeRequests', projectId))
}

function raise(tx: Transaction, name: string, shard: number): void {
  tx.beforeCommit(`stamp ${name}`, async () => {
    await tx.run('stamps.touch', { name, shard }, (db, $) =>
      db
        .insertInto('stamps')
        .values({ name: $('name'), shard: $('shard'), version: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(['name', 'shard'])
            .doUpdateSet({ version: sql<number>`stamps.version + 1` }),
        ),
    )
  })
}

/** The versions of stamps; 0 for those that never changed. One query. */
export async function readStamps(q: Queries, stamps: readonly Stamp[]): Promise<Versions> {
  const [first] = stamps
  if (first !== undefined && stamps.length === 1 && !first.includes(':')) {
    return { [first]: await readStamp(q, first) }
  }
  const names = [...new Set(stamps.flatMap(rowNames))]
  const rows = await q.all('stamps.read', { names }, (db, $) =>
    db
      .selectFrom('stamps')
      .select((eb) => ['name', eb.fn.sum<number>('version').as('version')])
      .where(inList('stamps.name', $('names')))
      .groupBy('name'),
  )
  const read: Record<string, number> = {}
  for (const { name, version } of rows) read[name] = version
  const versions: Record<string, number> = {}
  for (const stamp of stamps) {
    versions[stamp] = 0
    for (const name of rowNames(stamp)) versions[stamp] += read[name] ?? 0
  }
  return versions
}

/** The names of the rows whose sum is the version. */
function rowNames(stamp: Stamp): string[] {
  const end = stamp.indexOf(':')
  return end < 0 ? [stamp] : [stamp, `${stamp.slice(0, end)}:${everyProject}`]
}

async function readStamp(q: Queries, name: Stamp): Promise<number> {
  const row = await q.first('stamp.read', { name }, (db, $) =>
    db
      .selectFrom('stamps')
      .select((eb) => eb.fn.sum<number | null>('version').as('version'))
      .where('name', '=', $('name')),
  )
  return row?.version ?? 0
}

/** Deletes the versions of a deleted project, whose id is never used again. */
export async function deleteProjectStamps(tx: Transaction, projectId: number): Promise<void> {
  const names = [...projectNames].map((name) => `${name}:${projectId}`)
  await tx.run('stamps.delete', { names }, (db, $) =>
    db.deleteFrom('stamps').where(inList('stamps.name', $('names'))),
  )
}
