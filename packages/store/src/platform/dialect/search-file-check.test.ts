import { copyFile, mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureSearchSource, findSearchSource } from '../../activity/search-engine/source-store.ts'
import { openDatabase } from '../database.ts'
import type { Database } from '../queries/queries.ts'

let folder: string
let file: string
let searchFile: string
const key = { projectId: 1, kind: 'code' } as const

/** Opens the database as a server does that nothing runs beside. */
async function openAlone() {
  const warnings: string[] = []
  const logger = { error: () => undefined, warn: (_: object, line: string) => warnings.push(line) }
  const db = await openDatabase({ file, logger, checkSearchIndex: true })
  return { db, warnings }
}

/** Whether the index was made anew, and can be written and read. */
async function isMadeAnew(): Promise<boolean> {
  const { db, warnings } = await openAlone()
  try {
    const { isNew, reads, transaction } = db.searchIndex
    const isEmpty = (await findSearchSource(reads, key)) === undefined
    expect(warnings).toHaveLength(isNew ? 1 : 0)
    expect(isEmpty).toBe(isNew)
    await transaction((tx) => ensureSearchSource(tx, key))
    expect(await findSearchSource(reads, key)).toBeDefined()
    return isNew
  } finally {
    await db.close()
  }
}

/** Overwrites the page where a table starts. */
async function overwriteTable(name: string): Promise<void> {
  const connection = new Sqlite(searchFile)
  connection.pragma('wal_checkpoint(truncate)')
  const size = connection.pragma('page_size', { simple: true }) as number
  const { page } = connection
    .prepare<[string], { page: number }>(
      'select rootpage as page from sqlite_master where name = ?',
    )
    .get(name) ?? { page: 0 }
  connection.close()
  const handle = await open(searchFile, 'r+')
  await handle.write(Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size)
  await handle.close()
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'search-file-'))
  file = join(folder, 'main.db')
  searchFile = join(folder, 'main-search.db')
  const { db } = await openAlone()
  await db.searchIndex.transaction((tx) => ensureSearchSource(tx, key))
  await db.close()
})
afterEach(() => rm(folder, { recursive: true }))

describe('a search index on SQLite', () => {
  it('stays as it is if it is sound', async () => {
    expect(await isMadeAnew()).toBe(false)
  })

  it('is made anew if it is no database', async () => {
    await writeFile(searchFile, Buffer.alloc(100_000, 'garbage'))
    expect(await isMadeAnew()).toBe(true)
  })

  it('is made anew if it was cut', async () => {
    await truncate(searchFile, 20_000)
    expect(await isMadeAnew()).toBe(true)
    expect(await isMadeAnew()).toBe(false)
  })

  it.each([
    ['reads', (db: Database) => findSearchSource(db.searchIndex.reads, key)],
    ['writes', (db: Database) => db.searchIndex.transaction((tx) => ensureSearchSource(tx, key))],
  ])('is made anew at the next start if what %s finds it overwritten', async (_, use) => {
    await overwriteTable('searchSources')
    const { db } = await openAlone()
    await expect(use(db)).rejects.toMatchObject({ code: 'SQLITE_CORRUPT' })
    await db.close()
    expect(await isMadeAnew()).toBe(true)
    expect(await isMadeAnew()).toBe(false)
  })

  it('is left alone by processes that others may be beside', async () => {
    const copy = `${searchFile}.copy`
    await writeFile(searchFile, Buffer.alloc(100_000, 'garbage'))
    await copyFile(searchFile, copy)
    await expect(openDatabase({ file })).rejects.toMatchObject({ code: 'SQLITE_NOTADB' })
    expect((await readFile(searchFile)).equals(await readFile(copy))).toBe(true)
  })
})
