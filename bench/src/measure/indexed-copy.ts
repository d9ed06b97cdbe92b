import { execFileSync } from 'node:child_process'
import { constants } from 'node:fs'
import { cp, glob, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { databaseOf } from '../data/generate.ts'
import { startStithy } from '../servers.ts'

/**
 * Copies a data folder, and starts a server on it once, which indexes the code of its repositories:
 * the next one has nothing left to do. Repositories share their files, of which git replaces some
 * and changes none.
 */
export async function copyIndexed(from: string, to: string): Promise<void> {
  await mkdir(to)
  await copyToDisk(databaseOf(from), databaseOf(to))
  execFileSync('cp', ['-al', join(from, 'repositories'), to])
  const server = await startStithy(to, { core: 'any' })
  try {
    await untilIndexed(to)
  } finally {
    await server.stop()
  }
}

/** A copy that is still being written to disk would hold up the server's own writes. */
export async function copyToDisk(from: string, to: string): Promise<void> {
  await cp(from, to, { mode: constants.COPYFILE_FICLONE })
  const file = await open(to, 'r+')
  await file.sync()
  await file.close()
}

async function untilIndexed(folder: string): Promise<void> {
  let repositories = 0
  const pattern = glob('**/*.git', { cwd: join(folder, 'repositories') })
  for await (const _ of pattern) repositories += 1
  const index = new Sqlite(indexOf(folder), { readonly: true })
  try {
    const count = countIndexed(index)
    while (count() < repositories) await delay(100)
  } finally {
    index.close()
  }
}

export function indexOf(folder: string): string {
  return join(folder, 'stithy-search.db')
}

/** A function that counts the repositories whose code is indexed as it is now. */
export function countIndexed(index: Sqlite.Database): () => number {
  const current = index.prepare<[], { count: number }>(
    `select count(*) as count from "searchSources"
     where kind = 'code' and revision is not null and target is null`,
  )
  return () => current.get()?.count ?? 0
}
