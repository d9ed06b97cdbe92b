import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '@stithy/store'
import Sqlite from 'better-sqlite3'
import { fillEvents } from './events.ts'
import { fillNamespaces } from './groups.ts'
import { fillIssues } from './issues.ts'
import { fillMembers } from './members.ts'
import { fillNotes } from './notes.ts'
import { fillPlanning } from './planning.ts'
import { fillProjects } from './projects.ts'
import { fillRelations } from './relations.ts'
import { fillRepositories } from './repositories.ts'
import type { Size } from './sizes.ts'
import { fillSystem } from './system.ts'
import { fillUsers } from './users.ts'
import type { Area, World } from './world.ts'

/** In this order; a new kind of thing is a file and a line here. */
const areas: readonly Area[] = [
  { name: 'users', fill: fillUsers },
  { name: 'namespaces', fill: fillNamespaces },
  { name: 'projects', fill: fillProjects },
  { name: 'members', fill: fillMembers },
  { name: 'stars, shares, forks, attributes', fill: fillRelations },
  { name: 'labels, milestones', fill: fillPlanning },
  { name: 'issues', fill: fillIssues },
  { name: 'notes', fill: fillNotes },
  { name: 'events', fill: fillEvents },
  { name: 'repositories', fill: fillRepositories },
  { name: 'system', fill: fillSystem },
]

export interface GenerateOptions {
  /** Writes again what is there already. */
  force?: boolean
  /** Told of each step. */
  progress?: (text: string) => void
}

/** Whether a data folder is complete and was made by the same code for the same size and schema. */
function isCurrent(folder: string, mark: string): boolean {
  const marker = markerOf(folder)
  return existsSync(marker) && readFileSync(marker, 'utf8') === mark
}

/**
 * Fills a data folder that the server can be started on. It stays as it is where it was made by the
 * same generator for the same size and schema.
 * @returns false when nothing had to be done
 */
export async function generate(
  folder: string,
  size: Size,
  { force = false, progress = () => {} }: GenerateOptions = {},
): Promise<boolean> {
  const mark = JSON.stringify({ size, generator: generatorDigest(), schema: await schemaDigest() })
  if (!force && isCurrent(folder, mark)) return false
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await createSchema(databaseOf(folder))
  const db = new Sqlite(databaseOf(folder))
  try {
    await fill(
      { size, folder, db, users: [], groups: [], projects: [], planning: new Map() },
      progress,
    )
  } finally {
    db.close()
  }
  writeFileSync(markerOf(folder), mark)
  return true
}

async function fill(world: World, progress: (text: string) => void): Promise<void> {
  const { db } = world
  // Nothing is lost in a crash that a new run would not bring back; without a journal, by leave alone.
  db.unsafeMode(true)
  const swift = ['journal_mode = off', 'synchronous = off', 'foreign_keys = off', 'threads = 2']
  for (const pragma of [...swift, 'cache_size = -400000']) {
    db.pragma(pragma)
  }
  for (const { name, fill: fillArea } of areas) {
    const started = performance.now()
    db.exec('begin')
    await fillArea(world)
    db.exec('commit')
    progress(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  }
  db.unsafeMode(false)
  assertSound(db)
  db.pragma('journal_mode = wal')
}

function assertSound(db: World['db']): void {
  const [broken] = db.pragma('foreign_key_check') as { table: string; parent: string }[]
  if (broken === undefined) return
  throw new Error(`A row of ${broken.table} names a row of ${broken.parent} that is not there`)
}

async function createSchema(file: string): Promise<void> {
  const database = await openDatabase({ file })
  await database.migrate()
  await database.close()
}

/** Changes with the code of this folder. */
function generatorDigest(): string {
  const folder = import.meta.dirname
  const files = readdirSync(folder).filter((name) => !name.endsWith('.test.ts'))
  const texts = files.toSorted().map((name) => readFileSync(join(folder, name), 'utf8'))
  return hash('sha256', texts.join('\n'))
}

/** Changes with the schema, so that a new migration makes the data anew. */
async function schemaDigest(): Promise<string> {
  const folder = process.env.TMPDIR ?? '/tmp'
  const file = join(folder, `stithy-schema-${process.pid}.db`)
  try {
    await createSchema(file)
    const db = new Sqlite(file, { readonly: true })
    const rows = db.prepare('select sql from sqlite_master order by type, name').all()
    db.close()
    return hash('sha256', JSON.stringify(rows))
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  }
}

/** The database of a data folder. */
export function databaseOf(folder: string): string {
  return join(folder, 'stithy.db')
}

function markerOf(folder: string): string {
  return join(folder, 'bench-data.json')
}
