import { cpSync, rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { databaseOf } from '../data/generate.ts'
import { busyProject, member } from '../data/measured.ts'
import { type Load, load } from '../load/load.ts'
import { dataFolder } from '../paths.ts'
import { requestHeaders } from '../rows.ts'
import { startBaseline, startStithy, type Target } from '../servers.ts'
import { median, type PairOptions } from './pairs.ts'
import { type Profile, profileServer } from './profile.ts'

/** The minimum rate of issue creation, as a share of the hand-written transaction's. */
export const creationGoal = 0.6

/** The maximum 99th percentile with concurrent clients, as a multiple of the median. */
export const latencyGoal = 10

type Durability = 'process' | 'disk'

/** Clients that create issues concurrently. */
const writers = 16

/** Issues created per second by the baseline and by Stithy, medians of the rounds. */
export interface CreationFigures {
  connections: number
  durability: Durability
  baseline: number
  stithy: number
  ratio: number
  /** Response times of Stithy, in milliseconds. */
  p50: number
  p99: number
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
 * Creates issues with labels, an assignee, a todo, an event and a webhook, one at a time and with
 * 16 clients, on two copies of a data folder. Throws if the two do not insert the same number of
 * rows.
 */
export async function measureIssueCreation(
  from: string,
  options: PairOptions,
): Promise<CreationFigures[]> {
  const figures: CreationFigures[] = []
  for (const durability of ['process', 'disk'] as const) {
    figures.push(...(await measureWith(durability, from, options)))
  }
  return figures
}

/** Both servers answer at the same moment: before the transaction is on disk, or after. */
async function measureWith(
  durability: Durability,
  from: string,
  options: PairOptions,
): Promise<CreationFigures[]> {
  const folders = ['creation-baseline', 'creation'].map(dataFolder)
  for (const folder of folders) prepare(from, folder)
  const [handWritten = '', ours = ''] = folders
  const synchronous = durability === 'disk' ? 'full' : 'normal'
  const writes = { BENCH_WRITES: '1', BENCH_SYNCHRONOUS: synchronous }
  const baseline = await startBaseline(handWritten, 'remembered', writes)
  const stithy = await startStithy(ours, { env: { ...quiet, STITHY_DURABILITY: durability } })
  try {
    const [expected, written] = [
      await rowsOfOne(baseline, handWritten),
      await rowsOfOne(stithy, ours),
    ]
    if (expected !== written) throw new Error(`The baseline ${expected}, but Stithy ${written}`)
    return [
      { durability, ...(await measure(baseline, stithy, 1, options)) },
      { durability, ...(await measure(baseline, stithy, writers, options)) },
    ]
  } finally {
    for (const target of [baseline, stithy]) await target.stop()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

/** Profiles the creation of issues, one at a time. */
export async function profileIssueCreation(from: string, seconds: number): Promise<Profile> {
  const folder = dataFolder('creation')
  prepare(from, folder)
  const name = 'issue-creation'
  const create = (url: string, time: number) => createIssues(url, time, 1)
  return profileServer({ name, folder, seconds, env: quiet }, create).finally(() =>
    rmSync(folder, { recursive: true, force: true }),
  )
}

/** Nothing listens for the webhook, and each failure would be logged. */
const quiet = { STITHY_LOG_LEVEL: 'fatal' }

function createIssues(url: string, seconds: number, connections: number): Promise<Load> {
  return load(url + path, requestHeaders, seconds, { connections, body })
}

async function measure(
  baseline: Target,
  stithy: Target,
  connections: number,
  { seconds, rounds }: PairOptions,
): Promise<Omit<CreationFigures, 'durability'>> {
  for (const target of [baseline, stithy]) await createIssues(target.url, 2, connections)
  const results: { hand: Load; our: Load }[] = []
  for (let round = 0; round < rounds; round += 1) {
    results.push({
      hand: await createIssues(baseline.url, seconds, connections),
      our: await createIssues(stithy.url, seconds, connections),
    })
  }
  const medianOf = (figure: (result: { hand: Load; our: Load }) => number) =>
    median(results.map(figure))
  return {
    connections,
    baseline: medianOf(({ hand }) => hand.rate),
    stithy: medianOf(({ our }) => our.rate),
    ratio: medianOf(({ hand, our }) => our.rate / hand.rate),
    p50: medianOf(({ our }) => our.p50),
    p99: medianOf(({ our }) => our.p99),
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
