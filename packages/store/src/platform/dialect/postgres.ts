import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type ClientBase, Pool, type PoolClient, types } from 'pg'
import { migrate } from '../migrations/migrator.ts'
import type { RunSql } from '../migrations/run-sql.ts'
import type { CountCache } from '../queries/count-cache.ts'
import type { ConnectionCounts, Database, Durability, StoreLogger } from '../queries/queries.ts'
import type { Shape } from '../queries/shape-cache.ts'
import { type Core, createQueries, type Executor } from './executor.ts'
import { fromPostgresError, isRetryable } from './postgres-errors.ts'
import { assertOutsideTransaction, createUnit, type Unit } from './unit.ts'

export interface PostgresOptions {
  url: string
  poolSize?: number | undefined
  durability: Durability
  /** A prepared statement is a name here; each connection prepares it on first use. */
  core: Core<string>
  counts: CountCache
  logger: StoreLogger
}

type Queryable = Pick<ClientBase, 'query'>

/** How often a transaction is retried after a deadlock or serialization failure. */
const retries = 4

/** Creates a pool; the first query makes the first connection. */
export function openPostgres(options: PostgresOptions): Database {
  const { core, counts } = options
  const pool = createPool(options)
  const queries = createQueries(core, rejectNestedWrites(executorOver(pool)), counts)
  const unitOfWork = createUnitOfWork(pool, options)
  const transaction: Database['transaction'] = (work) => unitOfWork((unit) => unit.perform(work))
  return {
    ...queries,
    asyncCommit: queries,
    searchIndex: { reads: queries, transaction, isNew: false },
    stats: core.stats,
    connections: () => countConnections(pool),
    onJobs: (listener) => {
      core.jobs.listener = listener
    },
    onNotification: (listener) => {
      core.notifications.listener = listener
    },
    transaction,
    migrate: () => migrate('postgres', (work) => unitOfWork((_, client) => work(runSqlOn(client)))),
    ping: () => ping(pool),
    close: () => pool.end(),
  }
}

type Perform<T> = (unit: Unit, client: PoolClient) => Promise<T>

/** Runs transactions, each on a connection of the pool, and again after a deadlock. */
function createUnitOfWork(pool: Pool, { core, logger }: PostgresOptions) {
  async function attempt<T>(perform: Perform<T>): Promise<T> {
    const client = await pool.connect()
    const unit = createUnit(core, executorOver(client), logger)
    let broken = false
    let result: T
    try {
      await client.query('begin')
      result = await perform(unit, client)
      await client.query('commit')
    } catch (error) {
      broken = await rollBack(client)
      throw error
    } finally {
      unit.end()
      client.release(broken)
    }
    unit.runCommitActions()
    return result
  }
  return async function unitOfWork<T>(perform: Perform<T>): Promise<T> {
    assertOutsideTransaction()
    for (let attempts = 0; ; attempts += 1) {
      try {
        return await attempt(perform)
      } catch (error) {
        if (attempts >= retries || !isRetryable(error)) throw fromPostgresError(error)
      }
      await delay(2 ** attempts * 5 * (1 + Math.random()))
    }
  }
}

async function ping(pool: Pool): Promise<void> {
  await runSqlOn(pool)('select 1', [])
}

function countConnections(pool: Pool): ConnectionCounts {
  return { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
}

function createPool(options: PostgresOptions): Pool {
  const pool = new Pool({
    connectionString: options.url,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    ...(options.durability === 'process' ? { options: '-c synchronous_commit=off' } : {}),
    types: { getTypeParser },
  })
  pool.on('error', (error) => {
    options.logger.error({ err: error }, 'A connection to the database was lost')
  })
  return pool
}

/** int8 and numeric are counts, ids and timestamps here, which fit into a number's 53 bits. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === types.builtins.INT8 || oid === types.builtins.NUMERIC
    ? Number
    : types.getTypeParser(oid, format)

function executorOver(queryable: Queryable): Executor<string> {
  async function query(shape: Shape<string>, values: unknown[]) {
    try {
      return await queryable.query({ name: nameOf(shape), text: shape.sql, values })
    } catch (error) {
      // The unit of work must still see which failures are retryable.
      throw isRetryable(error) ? error : fromPostgresError(error)
    }
  }
  return {
    rows: async (shape, values) => (await query(shape, values)).rows,
    row: async (shape, values) => (await query(shape, values)).rows[0],
    changes: async (shape, values) => (await query(shape, values)).rowCount ?? 0,
  }
}

function nameOf(shape: Shape<string>): string {
  const known = shape.prepared[0]
  if (known !== undefined) return known
  const name = createHash('sha256').update(shape.sql).digest('base64url').slice(0, 20)
  shape.prepared[0] = name
  return name
}

/** PostgreSQL would run them on another connection, where SQLite would deadlock on itself. */
function rejectNestedWrites(executor: Executor<string>): Executor<string> {
  return {
    ...executor,
    changes(shape, values) {
      assertOutsideTransaction()
      return executor.changes(shape, values)
    },
  }
}

/** Whether the connection is unusable. */
async function rollBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('rollback')
    return false
  } catch {
    return true
  }
}

function runSqlOn(queryable: Queryable): RunSql {
  return async (text, values) => {
    try {
      return (await queryable.query(text, [...values])).rows
    } catch (error) {
      throw fromPostgresError(error)
    }
  }
}
