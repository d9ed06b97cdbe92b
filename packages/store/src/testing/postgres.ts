import { createHash, randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { openDatabase } from '../platform/database.ts'
import { describeMigrations } from '../platform/migrations/migrator.ts'
import { disposable } from './disposable.ts'
import type { TestDatabase, TestDatabaseOptions } from './index.ts'

let template: Promise<string> | undefined

export async function openPostgresTestDatabase(
  server: string,
  options: TestDatabaseOptions,
): Promise<TestDatabase> {
  template ??= ensureTemplate(server)
  const source = options.empty === true ? 'template0' : await template
  const name = `stithy_test_${randomBytes(6).toString('hex')}`
  await administer(server, `create database ${name} template ${source}`)
  const url = withDatabase(server, name)
  const open = () => openDatabase({ ...options, url, checkShapes: true, poolSize: 4 })
  const remove = () => administer(server, `drop database if exists ${name} with (force)`)
  return { ...disposable(await open(), open, remove), url }
}

/**
 * The migrated database that the others are copied from. It stays, named after its schema, so that
 * only the first of all processes has to migrate.
 */
async function ensureTemplate(server: string): Promise<string> {
  const schema = createHash('sha256').update(await describeMigrations('postgres'))
  const name = `stithy_template_${schema.digest('hex').slice(0, 12)}`
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(7483920116)')
    const found = await client.query('select 1 from pg_database where datname = $1', [name])
    if (found.rowCount === 0) await createTemplate(client, server, name)
  } finally {
    await client.end()
  }
  return name
}

/** Created under another name until it is complete, so that a crash leaves no partial template. */
async function createTemplate(client: Client, server: string, name: string): Promise<void> {
  const draft = `${name}_draft`
  await client.query(`drop database if exists ${draft} with (force)`)
  await client.query(`create database ${draft}`)
  const db = await openDatabase({ url: withDatabase(server, draft) })
  await db.migrate()
  await db.close()
  await client.query(`alter database ${draft} rename to ${name}`)
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
