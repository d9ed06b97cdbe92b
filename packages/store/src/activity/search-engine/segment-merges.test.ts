/** The search index on SQLite: segments are merged, and what is deleted is left out of them. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../platform/database.ts'
import type { Database } from '../../platform/queries/queries.ts'
import { explainQuery } from '../../testing/index.ts'
import { type HitArgs, hitArgs, segmentHits } from './segment-hits.ts'
import {
  chooseMerge,
  mergedPages,
  mergeSegments,
  type RangeArgs,
  type SegmentSize,
} from './segment-merges.ts'
import { addSegments, deleteFromSegments } from './segment-store.ts'

let folder: string
let db: Database

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'segments-'))
  db = await openDatabase({ file: join(folder, 'main.db') })
})
afterEach(async () => {
  await db.close()
  await rm(folder, { recursive: true })
})

type Texts = ReadonlyMap<number, string>

async function add(texts: Texts): Promise<void> {
  const entries = [...texts].map(([id, text]) => ({ id, text }))
  await db.searchIndex.transaction((tx) => addSegments(tx, 'texts', entries))
}

async function remove(ids: readonly number[]): Promise<void> {
  await db.searchIndex.transaction((tx) => deleteFromSegments(tx, 'texts', ids))
}

/** The ids of texts that may contain a text, of blocks below `blocks`. */
async function hits(text: string, page = {}, blocks = 1000): Promise<number[]> {
  const all = { first: 0, before: 10_000_000, limit: 10_000 }
  const args = { ...hitArgs('texts', text, { ...all, ...page }), blocks }
  const rows = await db.searchIndex.reads.all('test.hits', args, (_, $) => {
    const numbers = sql`with recursive "places" ("block") as materialized (
      select 0 union all select "block" + 1 from "places" where "block" < ${$('blocks')} - 1)`
    return sql<{ value: number }>`${numbers} select "value" from ${segmentHits('texts', $)}`
  })
  return rows.map(({ value }) => value)
}

async function countRows(table: 'searchPages' | 'searchSegments'): Promise<number> {
  const row = await db.searchIndex.reads.first(`test.count|${table}`, {}, (q) =>
    q.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('count')),
  )
  return row?.count ?? 0
}

const word = fc.constantFrom('const ', 'value', 'ret', 'x = ', 'zq', 'é', '日本語', '\n')
const someText = fc.array(word, { minLength: 1, maxLength: 30 }).map((parts) => parts.join(''))

describe('hits of segments', () => {
  it('are those that contain a text, after any additions, deletions and merges', async () => {
    const step = fc.record({
      added: fc.array(someText, { minLength: 1, maxLength: 4 }),
      removed: fc.array(fc.nat({ max: 60 }), { maxLength: 6 }),
      isMerged: fc.boolean(),
    })
    const parts = fc.array(
      fc.array(word, { minLength: 1, maxLength: 3 }).map((some) => some.join('')),
      { minLength: 1, maxLength: 4 },
    )
    let nextId = 0
    const texts = new Map<number, string>()
    const run = async (steps: (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) => {
      for (const { added, removed, isMerged } of steps) {
        const fresh = new Map(added.map((text) => [nextId++ * 3, text]))
        await add(fresh)
        for (const [id, text] of fresh) texts.set(id, text)
        const ids = removed.map((number) => 3 * (nextId - number))
        await remove(ids)
        for (const id of ids) texts.delete(id)
        if (isMerged) await mergeSegments(db.searchIndex)
      }
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 25 }),
        parts,
        async (steps, some) => {
          await run(steps)
          for (const part of some) {
            const found = await hits(part)
            expect(found).toEqual(found.toSorted((a, b) => b - a))
            const containing = [...texts].filter(([, text]) => text.includes(part))
            const ids = containing.map(([id]) => id).toSorted((a, b) => b - a)
            expect(found).toEqual(expect.arrayContaining(ids))
            expect(found.filter((id) => !texts.has(id))).toEqual([])
            const isAscii = /^[a-z= \n]*$/.test(part)
            if (isAscii && part.length <= 3) expect(found).toEqual(ids)
          }
        },
      ),
      { numRuns: 15 },
    )
    expect(await hits('no such text')).toEqual([])
  })

  it('leave out what has the trigrams of a text, but not its longer parts', async () => {
    const one = 'const value = return\nimport other from const\n'
    await add(new Map(Array.from({ length: 50 }, (_, id) => [id, `${one}${id}`])))
    await add(new Map([[77, 'return import\n']]))
    expect(await hits('return import')).toEqual([77])
    expect(await hits('value = return\nimport')).toHaveLength(50)
  })

  it('find a text anywhere in a long one', async () => {
    const long = Array.from({ length: 20_000 }, (_, line) => `line ${line} of it\n`).join('')
    await add(
      new Map([
        [1, long],
        [2, 'short'],
        [3, long.slice(0, 3000)],
      ]),
    )
    for (let at = 0; at < long.length - 400; at += 6007) {
      expect(await hits(long.slice(at, at + 400))).toEqual(at < 2600 ? [3, 1] : [1])
    }
  })

  it('are pages of ids in blocks that may be read', async () => {
    const ids = Array.from({ length: 3000 }, (_, index) => index * 7)
    for (let at = 0; at < ids.length; at += 100) {
      await add(new Map(ids.slice(at, at + 100).map((id) => [id, `text ${id}`])))
    }
    await mergeSegments(db.searchIndex)
    const readable = ids.filter((id) => id < 2 * 4096).toReversed()
    expect(await hits('text', {}, 2)).toEqual(readable)
    expect(await hits('text', { limit: 10 }, 2)).toEqual(readable.slice(0, 10))
    const page = { first: 700, before: 7000 }
    expect(await hits('text', page, 2)).toEqual(readable.filter((id) => id >= 700 && id < 7000))
    expect(await hits('te', { limit: 5 })).toEqual(ids.toReversed().slice(0, 5))
  })

  it('are in any order of ids', async () => {
    for (const ids of [
      [90, 10, 50],
      [20, 95, 60],
    ]) {
      await add(new Map(ids.map((id) => [id, `some text ${id}`])))
    }
    expect(await hits('text', { limit: 2 })).toEqual([95, 90])
    expect(await hits('text', { before: 90, limit: 3 })).toEqual([60, 50, 20])
  })
})

describe('mergeSegments', () => {
  it('leaves few segments, and no page of what is gone', async () => {
    for (let id = 0; id < 70; id += 1) await add(new Map([[id, `text number ${id}`]]))
    await mergeSegments(db.searchIndex)
    expect(await countRows('searchSegments')).toBeLessThan(16)
    expect(await hits('number')).toHaveLength(70)
    await remove(Array.from({ length: 69 }, (_, id) => id))
    await mergeSegments(db.searchIndex)
    expect(await hits('number')).toEqual([69])
    expect(await countRows('searchSegments')).toBe(1)
    await remove([69])
    await mergeSegments(db.searchIndex)
    expect(await countRows('searchSegments')).toBe(0)
    expect(await countRows('searchPages')).toBe(0)
  })
})

/** Adds texts from an id on, one by one, and says which ones are committed. */
const writer = (file: string, first: number) => `
  import { openDatabase } from ${source('../../platform/database.ts')}
  import { mergeSegments } from ${source('./segment-merges.ts')}
  import { addSegments } from ${source('./segment-store.ts')}
  const db = await openDatabase({ file: ${JSON.stringify(file)} })
  for (let id = ${first}; ; id += 1) {
    const text = 'text number ' + id + ' '.repeat(1000)
    await db.searchIndex.transaction((tx) => addSegments(tx, 'texts', [{ id, text }]))
    process.stdout.write(id + '\\n')
    await mergeSegments(db.searchIndex)
  }`

function source(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href)
}

it('segments have all that was committed when a process is killed while it adds and merges', async () => {
  const file = join(folder, 'main.db')
  for (const count of [20, 45, 64]) {
    const first = (await hits('number'))[0] ?? -1
    const code = writer(file, first + 1)
    const args = ['--conditions=@stithy/source', '--input-type=module', '-e', code]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let committed = first
    for await (const line of createInterface(child.stdout)) {
      committed = Number(line)
      if (committed >= first + count) child.kill('SIGKILL')
    }
    const found = await hits('number')
    expect(found[0]).toBeGreaterThanOrEqual(committed)
    expect(found).toEqual(found.map((_, index) => found.length - 1 - index))
  }
  await mergeSegments(db.searchIndex)
  expect(await countRows('searchSegments')).toBeLessThan(32)
})

describe('statements over segments', () => {
  it('read the pages that they need alone', async () => {
    const plans = [
      await explainQuery<HitArgs>((_, $) => {
        const places = sql`with "places" as materialized (select 1 as "block")`
        return sql`${places} select "value" from ${segmentHits('texts', $)}`
      }),
      await explainQuery<RangeArgs>((_, $) => sql`select ${mergedPages($)}`),
    ]
    for (const plan of plans) {
      const steps = plan.filter((step) => / (s|p|q|searchSegments|searchPages)\b/.test(step))
      expect(steps.length).toBeGreaterThanOrEqual(3)
      for (const step of steps) {
        expect(step).toMatch(/^SEARCH \w+ USING (INTEGER PRIMARY KEY|INDEX) /)
      }
    }
  })
})

describe('chooseMerge', () => {
  const mebibyte = 1024 * 1024
  const segment = (id: number, values: Partial<SegmentSize> = {}): SegmentSize => ({
    id,
    holds: 'texts',
    size: 1000,
    count: 10,
    deleted: 0,
    ...values,
  })
  const idsOf = (segments: readonly SegmentSize[]) => chooseMerge(segments).map(({ id }) => id)
  const many = (count: number, values: Partial<SegmentSize> = {}) =>
    Array.from({ length: count }, (_, id) => segment(id, values))

  it('takes sixteen of the same kind and about the same size', () => {
    expect(idsOf(many(15))).toEqual([])
    expect(idsOf(many(20))).toHaveLength(16)
    expect(idsOf([...many(15), segment(15, { holds: 'paths' })])).toEqual([])
    expect(idsOf([...many(15), segment(15, { size: 2 * mebibyte })])).toEqual([])
  })

  it('takes fewer that become full together, and none that are full', () => {
    expect(idsOf(many(2, { size: 30 * mebibyte }))).toEqual([0, 1])
    expect(idsOf(many(12, { size: 4.2 * mebibyte }))).toHaveLength(12)
    expect(idsOf(many(100, { size: 50 * mebibyte }))).toEqual([])
  })

  it('takes one of which half is deleted', () => {
    expect(idsOf([...many(3), segment(7, { size: 90 * mebibyte, deleted: 5 })])).toEqual([7])
    expect(idsOf([segment(7, { deleted: 4 })])).toEqual([])
  })
})
