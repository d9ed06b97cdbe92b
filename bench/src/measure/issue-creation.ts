import { cpSync, rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { databaseOf } from '../data/generate.ts'
import { busyProject, member } from '../data/measured.ts'
import { load } from '../load/load.ts'
import { dataFolder } from '../paths.ts'
import { requestHeaders } from '../rows.ts'
import { startBaseline, startStithy, type Target } from '../servers.ts'
import { median, type PairOptions } from './pairs.ts'

/** The minimum rate of issue creation, as a share of the hand-written transaction's. */
export const creationGoal = 0.6

/** Issues created per second, by hand and by Stithy. */
export interface CreationFigures {
  baseline: number
  stithy: number
  ratio: number
}

const path = `/api/v4/projects/${busyProject}/issues`

const body = {
  title: 'An issue of the benchmark',
  description: 'The server forgets the page of a list when a branch changes.',
  labels: 'bug,docs',
  assignee_ids: [member.id + 1],
}

/**
 * The tables that an issue creation inserts into; further rows made by the webhook's job are not
 * counted.
 */
const tables = 'issues labelLinks labelEvents issueAssignees todos events'.split(' ')

/**
 * Creates issues with labels, an assignee, a todo, an event and a webhook, one at a time, on two
 * copies of a data folder. Throws if the two do not insert the same number of rows.
 */
export async function measureIssueCreation(
  from: string,
  { seconds, rounds }: PairOptions,
): Promise<CreationFigures> {
  const folders = ['creation-by-hand', 'creation'].map(dataFolder)
  for (const folder of folders) prepare(from, folder)
  const [byHand = '', byStithy = ''] = folders
  const baseline = await startBaseline(byHand, 'remembered', { BENCH_WRITES: '1' })
  // Nothing listens for the webhook, and each failure would be logged.
  const stithy = await startStithy(byStithy, { env: { STITHY_LOG_LEVEL: 'fatal' } })
  try {
    const [expected, written] = [
      await rowsOfOne(baseline, byHand),
      await rowsOfOne(stithy, byStithy),
    ]
    if (expected !== written) throw new Error(`By hand ${expected}, but Stithy ${written}`)
    return await measure(baseline, stithy, { seconds, rounds })
  } finally {
    for (const target of [baseline, stithy]) await target.stop()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(baseline: Target, stithy: Target, { seconds, rounds }: PairOptions) {
  const rate = async (target: Target, time: number) =>
    (await load(target.url + path, requestHeaders, time, body)).rate
  for (const target of [baseline, stithy]) await rate(target, 2)
  const rates: { hand: number; our: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    rates.push({ hand: await rate(baseline, seconds), our: await rate(stithy, seconds) })
  }
  return {
    baseline: median(rates.map(({ hand }) => hand)),
    stithy: median(rates.map(({ our }) => our)),
    ratio: median(rates.map(({ hand, our }) => our / hand)),
  }
}

/** A copy of the data in which the project has a webhook for issues. */
function prepare(from: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  cpSync(from, folder, { recursive: true })
  const db = new Sqlite(databaseOf(folder))
  const columns = (db.pragma('table_info(webhooks)') as { name: string; notnull: number }[])
    .filter(({ notnull }) => notnull === 1)
    .map(({ name }) => name)
  const values: Record<string, unknown> = { projectId: busyProject, url: 'http://hooks.invalid/' }
  const value = (name: string) => values[name] ?? (name === 'issuesEvents' ? 1 : 0)
  db.prepare(
    `insert into webhooks (${columns.map((name) => `"${name}"`).join(', ')})
     values (${columns.map(() => '?').join(', ')})`,
  ).run(columns.map((name) => (name === 'id' ? 1 : value(name))))
  db.close()
}

/** The number of rows that one creation adds to each table. */
async function rowsOfOne(target: Target, folder: string): Promise<string> {
  const count = (): number[] => {
    const db = new Sqlite(databaseOf(folder), { readonly: true })
    const counts = tables.map((table) =>
      db.prepare(`select max(rowid) from "${table}"`).pluck().get(),
    )
    db.close()
    return counts.map(Number)
  }
  const before = count()
  const headers = { ...requestHeaders, 'content-type': 'application/json' }
  const answer = await fetch(target.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  if (answer.status !== 201) throw new Error(`${target.url} answers ${await answer.text()}`)
  return count()
    .map((after, index) => `${after - (before[index] ?? 0)} ${tables[index]}`)
    .join(', ')
}
