import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Queries } from '../queries/queries.ts'
import { createShapeCache } from '../queries/shape-cache.ts'
import { createBuilder } from './compilers.ts'
import { createIndexThread, type IndexThread } from './index-thread.ts'
import { prepareSearchFile, searchFileOf } from './search-file.ts'

let folder: string
let file: string
let index: IndexThread

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stithy-index-'))
  file = join(folder, 'test.db')
  prepareSearchFile({ file })
  index = createIndexThread({
    file,
    core: {
      dialect: 'sqlite',
      shapes: createShapeCache(createBuilder('sqlite'), true),
      stats: { queries: 0 },
      jobs: { listener: () => {} },
      notifications: { listener: () => {} },
    },
    logger: { error: () => {}, warn: () => {} },
    idleMs: 1,
  })
})
afterEach(async () => {
  await index.close()
  rmSync(folder, { recursive: true })
})

const insert = (tx: Queries, projectId: number) =>
  tx.run('test.insert', { projectId }, (kysely, $) =>
    kysely.insertInto('searchSources').values({ projectId: $('projectId'), kind: 'code' }),
  )

function readProjects(): unknown[] {
  const connection = new Sqlite(searchFileOf(file), { readonly: true })
  const ids = connection.prepare('select "projectId" from "searchSources" order by 1').pluck().all()
  connection.close()
  return ids
}

/** Longer than the thread waits for work. */
const pause = () => delay(50)

describe('the thread that writes the search index', () => {
  it('stays until the end of a transaction that waits for what is indexed', async () => {
    await index.transaction(async (tx) => {
      await insert(tx, 1)
      await pause()
      await insert(tx, 2)
    })
    expect(readProjects()).toEqual([1, 2])
  })

  it('ends without work, and starts again for the next transaction', async () => {
    await index.transaction((tx) => insert(tx, 1))
    await pause()
    await index.transaction((tx) => insert(tx, 2))
    expect(readProjects()).toEqual([1, 2])
  })

  it('undoes a transaction that fails after a pause', async () => {
    const failed = index.transaction(async (tx) => {
      await insert(tx, 1)
      await pause()
      throw new Error('stopped')
    })
    await expect(failed).rejects.toThrow('stopped')
    await index.transaction((tx) => insert(tx, 2))
    expect(readProjects()).toEqual([2])
  })
})
