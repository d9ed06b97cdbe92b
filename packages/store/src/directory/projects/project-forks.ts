import { isWiderThan, type Visibility, visibilities } from '@stithy/core'
import type { Kysely } from 'kysely'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { touchStamp } from '../../platform/queries/stamps.ts'
import type { Schema } from '../../platform/schema/schema.ts'

// Sources are written before their forks everywhere, so that transactions don't wait for each other.

/**
 * Counts one more fork of a project, and locks it until the transaction ends. Returns its
 * visibility, which the fork may not exceed; undefined if it is deleted.
 */
export async function countFork(
  tx: Transaction,
  args: { sourceId: number },
): Promise<Visibility | undefined> {
  const row = await tx.first('projects.count-fork', args, (db, $) =>
    db
      .updateTable('projects')
      .set((eb) => ({ forksCount: eb('forksCount', '+', 1) }))
      .where('id', '=', $('sourceId'))
      .where('deletedAt', 'is', null)
      .returning('visibility'),
  )
  return row?.visibility
}

/**
 * Locks the source of a fork until the transaction ends, so that it isn't narrowed while the fork is
 * made more visible. Returns its visibility; undefined if it is deleted.
 */
export async function lockForkSource(
  tx: Transaction,
  args: { sourceId: number },
): Promise<Visibility | undefined> {
  const row = await tx.first('projects.lock-fork-source', args, (db, $) =>
    db
      .updateTable('projects')
      .set((eb) => ({ updatedAt: eb.ref('updatedAt') }))
      .where('id', '=', $('sourceId'))
      .where('deletedAt', 'is', null)
      .returning('visibility'),
  )
  return row?.visibility
}

/** Counts one fork less. */
export async function discountFork(tx: Transaction, args: { sourceId: number }): Promise<void> {
  await tx.run('projects.decrement-forks', args, (db, $) =>
    db
      .updateTable('projects')
      .set((eb) => ({ forksCount: eb('forksCount', '-', 1) }))
      .where('id', '=', $('sourceId'))
      .where('forksCount', '>', 0),
  )
}

/** Makes a project a fork; false if it is one already, or is deleted. */
export async function setForkSource(
  tx: Transaction,
  args: { projectId: number; sourceId: number },
): Promise<boolean> {
  const { changes } = await tx.run('projects.set-fork-source', args, (db, $) =>
    db
      .updateTable('projects')
      .set({ forkedFromProjectId: $('sourceId') })
      .where('id', '=', $('projectId'))
      .where('forkedFromProjectId', 'is', null)
      .where('deletedAt', 'is', null),
  )
  touchStamp(tx, 'projects')
  return changes > 0
}

/** Ends the relation of a fork to this source; false if there is none. */
export async function clearForkSource(
  tx: Transaction,
  args: { projectId: number; sourceId: number },
): Promise<boolean> {
  const { changes } = await tx.run('projects.clear-fork-source', args, (db, $) =>
    db
      .updateTable('projects')
      .set({ forkedFromProjectId: null })
      .where('id', '=', $('projectId'))
      .where('forkedFromProjectId', '=', $('sourceId')),
  )
  touchStamp(tx, 'projects')
  return changes > 0
}

/**
 * Locks a project and all that it is a fork of, directly or not, until the transaction ends, so that
 * none of them becomes a fork of another project meanwhile. Returns their ids.
 */
export async function lockForkLine(
  tx: Transaction,
  args: { projectId: number },
): Promise<readonly number[]> {
  for (;;) {
    const locked = new Set(await lockLine(tx, args))
    // On PostgreSQL the line may have grown while a row was waited for.
    const line = await listForkLine(tx, args)
    if (line.every((id) => locked.has(id))) return line
  }
}

async function lockLine(tx: Transaction, args: { projectId: number }): Promise<number[]> {
  const rows = await tx.all('projects.lock-fork-line', args, (db, $) =>
    withForkLine(db, $('projectId'))
      .updateTable('projects')
      .set((eb) => ({ updatedAt: eb.ref('projects.updatedAt') }))
      .where('projects.id', 'in', (eb) => eb.selectFrom('line').select('line.id'))
      .returning('projects.id'),
  )
  return rows.map(({ id }) => id)
}

async function listForkLine(q: Queries, args: { projectId: number }): Promise<number[]> {
  const rows = await q.all('projects.fork-line', args, (db, $) =>
    withForkLine(db, $('projectId')).selectFrom('line').select('line.id'),
  )
  return rows.map(({ id }) => id)
}

function withForkLine(db: Kysely<Schema>, projectId: number) {
  return db.withRecursive('line(id)', (cte) =>
    cte
      .selectFrom('projects')
      .where('projects.id', '=', projectId)
      .select('projects.id as id')
      .union((eb) =>
        eb
          .selectFrom('line')
          .innerJoin('projects', 'projects.id', 'line.id')
          .where('projects.forkedFromProjectId', 'is not', null)
          .select((of) => of.ref('projects.forkedFromProjectId').$notNull().as('id')),
      ),
  )
}

/**
 * Narrows the forks of a project, and theirs, to its visibility; call it once the project itself
 * has it.
 */
export async function narrowForks(
  tx: Transaction,
  { projectId, visibility, now }: { projectId: number; visibility: Visibility; now: number },
): Promise<void> {
  const wider = visibilities.filter((each) => isWiderThan(each, visibility))
  if (wider.length === 0) return
  // Again after a change: on PostgreSQL a fork of one of them may have been created while its row
  // was waited for.
  while ((await narrowVisibleForks(tx, { projectId, visibility, now, wider })) > 0) {
    touchStamp(tx, 'projects')
  }
}

async function narrowVisibleForks(
  tx: Transaction,
  args: {
    projectId: number
    visibility: Visibility
    now: number
    wider: readonly Visibility[]
  },
): Promise<number> {
  const { changes } = await tx.run('projects.narrow-forks', args, (db, $) =>
    db
      .withRecursive('below(id)', (cte) =>
        cte
          .selectFrom('projects')
          .where('projects.forkedFromProjectId', '=', $('projectId'))
          .select('projects.id as id')
          .union((eb) =>
            eb
              .selectFrom('below')
              .innerJoin('projects', 'projects.forkedFromProjectId', 'below.id')
              .select('projects.id as id'),
          ),
      )
      .updateTable('projects')
      .set({ visibility: $('visibility'), updatedAt: $('now') })
      .where('projects.id', 'in', (eb) => eb.selectFrom('below').select('below.id'))
      .where((eb) => inList(eb.ref('projects.visibility'), $('wider'))),
  )
  return changes
}
