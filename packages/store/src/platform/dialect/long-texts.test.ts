import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Semaphore } from 'async-mutex'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildNamespace, buildProject, buildUser } from '../../testing/index.ts'
import { findIssueTexts, putDescribedIssue } from '../../testing/issue-texts.ts'
import { openDatabase } from '../database.ts'
import type { Database, Queries, Transaction } from '../queries/queries.ts'
import { connect } from './connection.ts'
import { maintainFullText } from './full-text.ts'

/** Much longer than what is indexed at once, with words at both ends. */
const longText = (last: string) => `beginning ${'Lorem ipsum dolor sit amet. '.repeat(4000)}${last}`

const insertIssue = `insert into issues
  (id, iid, "projectId", "authorId", title, description, state, "createdAt", "updatedAt")
  values (?, ?, ?, ?, 'Left', ?, 'opened', 0, 0)`

describe.each(['a file', 'memory'])('long texts of a database in %s', (place) => {
  let folder: string
  let file: string
  let db: Database
  let authorId: number
  let projectId: number
  const open = async () => {
    const opened = await openDatabase({ file })
    await opened.migrate()
    return opened
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stithy-long-texts-'))
    file = place === 'memory' ? ':memory:' : join(folder, 'test.db')
    db = await open()
    authorId = (await buildUser(db)).id
    projectId = (await buildProject(db, await buildNamespace(db))).id
  })
  afterEach(async () => {
    await db.close()
    await rm(folder, { recursive: true })
  })

  const put = (q: Queries, id: number, description: string) =>
    putDescribedIssue(q, { id, projectId, authorId, description })
  const add = (id: number, last: string) => db.transaction((tx) => put(tx, id, longText(last)))
  const found = (word: string) => findIssueTexts(db, word)
  const waiting = async () =>
    (await db.all('test.waiting', {}, () => sql`select * from "unindexedTexts"`)).length

  it('are found by their beginning at once, and by all of it soon', async () => {
    await add(1, 'ending')
    expect(await found('beginning')).toEqual([1])
    // A thread has yet to start.
    expect(await found('ending')).toEqual(place === 'memory' ? [1] : [])
    await expect.poll(waiting).toBe(0)
    expect(await found('ending')).toEqual([1])
    expect(await found('beginning')).toEqual([1])
  })

  it('are found by what they became, whenever they changed', async () => {
    await add(1, 'ending')
    await add(2, 'ending')
    await add(3, 'ending')
    await db.transaction(async (tx) => {
      const description = longText('another')
      await tx.run('test.update', { description }, (kysely, $) =>
        kysely
          .updateTable('issues')
          .set({ description: $('description') })
          .where('id', '=', 1),
      )
      await tx.run('test.shorten', {}, (kysely) =>
        kysely.updateTable('issues').set({ description: 'short' }).where('id', '=', 2),
      )
      await tx.run('test.delete', {}, (kysely) => kysely.deleteFrom('issues').where('id', '=', 3))
    })
    await expect.poll(waiting).toBe(0)
    expect(await found('ending')).toEqual([])
    expect([await found('another'), await found('short')]).toEqual([[1], [2]])
    expect(await found('beginning')).toEqual([1])
  })

  it.runIf(place === 'a file')('that a crash left are indexed with the next write', async () => {
    await db.close()
    const other = new Sqlite(file)
    other.pragma('foreign_keys = off')
    other.prepare(insertIssue).run(7, 7, projectId, authorId, longText('ending'))
    other.close()
    db = await open()
    expect(await waiting()).toBe(1)
    await db.transaction((tx) => put(tx, 8, 'short'))
    await expect.poll(waiting).toBe(0)
    expect(await found('ending')).toEqual([7])
  })

  it.runIf(place === 'a file')('are reported once the thread has written them', async () => {
    await db.close()
    const writer = connect({ file }, 'write')
    const insert = writer.prepare(insertIssue)
    for (const id of [1, 2]) insert.run(id, id, projectId, authorId, longText('ending'))
    const written = vi.fn()
    const logger = { error: vi.fn(), warn: vi.fn() }
    const texts = maintainFullText(async (work) => work({} as Transaction), writer, {
      ...{ file, logger, written, mutex: new Semaphore(1) },
    })
    await texts.transaction(async () => {})
    await vi.waitFor(() => expect(written).toHaveBeenCalledTimes(2), 60_000)
    await texts.close()
    writer.close()
    expect(logger.error).not.toHaveBeenCalled()
    db = await open()
  })
})
