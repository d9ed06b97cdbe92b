import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { levelInProject, openDatabase } from '@stithy/store'
import Sqlite from 'better-sqlite3'
import { levelThroughShares } from '../baseline/project-sql.ts'
import type { BenchRow } from '../bench-row.ts'
import { databaseOf } from '../data/generate.ts'
import { deepProject, member, peopleGroup } from '../data/measured.ts'
import { requestHeaders } from '../rows.ts'
import { startStithy, type Target } from '../servers.ts'
import { copyToDisk } from './indexed-copy.ts'
import { measurePair, median, type Pair, type PairOptions } from './pairs.ts'

/** Lists and look-ups on the data of `people`. */
export interface PeopleFigures {
  rows: PeopleRow[]
  level: LevelFigures
  changes: ChangeFigures[]
}

/** The rates are those of eight clients at once. */
export interface PeopleRow extends Pair {
  goal: number
  limit: number | undefined
  /** One request at a time, in milliseconds. */
  alone: { baseline: number; stithy: number; p99: number }
}

/** The level of the member in a project five groups deep, through two shares, in milliseconds. */
export interface LevelFigures {
  baseline: number
  stithy: number
  p99: number
}

/** The maximum, in milliseconds. */
export const levelLimit = 2

/** A change of who is a member of the group with very many projects, in milliseconds. */
export interface ChangeFigures {
  name: string
  p50: number
  max: number
}

/** The maximum, in milliseconds. */
export const changeLimit = 50

/** Loads rows on both servers, by eight clients and by one. */
export async function measurePeopleRows(
  rows: readonly BenchRow[],
  baseline: Target,
  stithy: Target,
  options: PairOptions,
): Promise<PeopleRow[]> {
  const figures: PeopleRow[] = []
  for (const { name, path, goal, limit, headers = requestHeaders } of rows) {
    process.stderr.write(`measuring ${name}\n`)
    const targets = { first: baseline, second: stithy }
    const pair = await measurePair(name, path, targets, { ...options, headers })
    const one = { ...options, headers, connections: 1, warmUp: 0.2 }
    const { first, second } = await measurePair(name, path, targets, one)
    const alone = { baseline: first.p50, stithy: second.p50, p99: second.p99 }
    figures.push({ ...pair, goal, limit, alone })
  }
  return figures
}

const samples = 3000

/** Times the query that decides on every request for a project, in this process. */
export async function measureLevel(folder: string): Promise<LevelFigures> {
  const file = databaseOf(folder)
  const db = new Sqlite(file, { readonly: true })
  const database = await openDatabase({ file })
  try {
    const today = new Date().toISOString().slice(0, 10)
    const projectId = db
      .prepare<[string], number>('select id from projects where "fullPathLower" = ?')
      .pluck()
      .get(deepProject.path)
    if (projectId === undefined) throw new Error('The deep project is missing')
    const args = { projectId, userId: member.id, today }
    const select = db.prepare<[typeof args], number>(selectLevel).pluck()
    const byHand = async () => select.get(args) ?? 0
    const byStithy = () => levelInProject(database, args)
    const levels = [await byHand(), await byStithy()]
    if (levels[0] !== 20 || levels[1] !== 20) throw new Error(`The levels are ${levels.join()}`)
    const [baseline, stithy] = [await timesOf(byHand), await timesOf(byStithy)]
    return { baseline: at(baseline, 0.5), stithy: at(stithy, 0.5), p99: at(stithy, 0.99) }
  } finally {
    db.close()
    await database.close()
  }
}

const inGroups = `cross join members m on m."sourceId" = a."ancestorId"
  and m."sourceKind" = 'group' and m."userId" = +:userId
  and (m."expiresOn" is null or m."expiresOn" >= +:today)`

/** The highest level of all paths. */
const selectLevel = `select max(level) from (
  select m."accessLevel" as level from members m where m."userId" = +:userId
    and m."sourceKind" = 'project' and m."sourceId" = +:projectId
    and (m."expiresOn" is null or m."expiresOn" >= +:today)
  union all
  select m."accessLevel" from projects p
    cross join "namespaceAncestors" a on a."descendantId" = p."namespaceId" ${inGroups}
    where p.id = +:projectId
  union all
  select 50 from projects p join namespaces n on n.id = p."namespaceId"
    where p.id = +:projectId and n."ownerId" = +:userId
  union all
  select min(m."accessLevel", l."groupAccess") from "projectGroupLinks" l
    cross join "namespaceAncestors" a on a."descendantId" = l."groupId" ${inGroups}
    where l."projectId" = +:projectId and (l."expiresOn" is null or l."expiresOn" >= +:today)
  union all
  ${levelThroughShares('(select "namespaceId" from projects where id = +:projectId)')})`

async function timesOf(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < samples; round += 1) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return times.slice(samples / 10).toSorted((a, b) => a - b)
}

/** Adds, changes and removes members of the group, one at a time, on a copy of the data. */
export async function measureChanges(folder: string, rounds: number): Promise<ChangeFigures[]> {
  const copy = `${folder}-copy`
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(join(copy, 'repositories'), { recursive: true })
  await copyToDisk(databaseOf(folder), databaseOf(copy))
  const target = await startStithy(copy)
  try {
    // The first use of every query builds and prepares it.
    await changeMembers(target, 3)
    return await changeMembers(target, Math.max(40, rounds))
  } finally {
    await target.stop()
    rmSync(copy, { recursive: true, force: true })
  }
}

async function changeMembers({ url }: Target, rounds: number): Promise<ChangeFigures[]> {
  const members = `${url}/api/v4/groups/${peopleGroup.path}/members`
  const times = { added: [] as number[], changed: [] as number[], removed: [] as number[] }
  const list: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    // Not a member yet: the generated ones are further apart.
    const userId = 3 + round
    const one = `${members}/${userId}`
    times.added.push(await send(members, 'POST', { user_id: userId, access_level: 30 }))
    times.changed.push(await send(one, 'PUT', { access_level: 40 }))
    list.push(await send(`${url}/api/v4/groups/${peopleGroup.path}/projects`, 'GET'))
    times.removed.push(await send(one, 'DELETE'))
  }
  const all = { ...times, 'list of projects after a change': list }
  return Object.entries(all).map(([name, values]) => {
    return { name, p50: median(values), max: Math.max(...values) }
  })
}

async function send(url: string, method: string, body?: object): Promise<number> {
  const headers = { ...requestHeaders, ...(body && { 'content-type': 'application/json' }) }
  const started = performance.now()
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${method} ${url} answers ${answer.status}`)
  return performance.now() - started
}

/** The value at a share of sorted numbers. */
function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}
