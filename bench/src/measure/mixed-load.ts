import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  branchesProject,
  busyProject,
  changesProject,
  historyProject,
  measuredFile,
  measuredProject,
  member,
  root,
} from '../data/measured.ts'
import { issueRows } from '../issue-rows.ts'
import { mergeRequestRows } from '../merge-request-rows.ts'
import { rows, sizeRows } from '../rows.ts'
import type { Target } from '../servers.ts'
import { runGit } from '../transfers/client.ts'
import { at } from './timing.ts'

/** What was done in the time of the load, at a steady rate. */
export interface MixedLoad {
  reads: number
  writes: number
  pushes: number
  clones: number
  /** Waits for the answers of reads, in milliseconds. */
  p50: number
  p99: number
}

/** Clients that read, each with a pause after an answer: the rate stays one that the machine holds. */
const readers = 4

/** Milliseconds; between the start of one and of the next, but of reads after the answer. */
const pauses = { read: 100, issue: 500, note: 500, push: 5000, clone: 5000 } as const

/** Pages of each list, which differ from call to call. */
const pages = 20

const measured = `/api/v4/projects/${measuredProject.id}/repository`
const busy = `/api/v4/projects/${busyProject}`

/** Read in turn, each time another page. */
const lists = [
  ...[...rows, ...sizeRows, ...issueRows.rows, ...mergeRequestRows.rows].map(({ path }) => path),
  ...[...issueRows.sizeRows, ...mergeRequestRows.sizeRows].map(({ path }) => path),
  '/api/v4/projects?search=server',
  '/api/v4/groups?search=server',
  '/api/v4/events',
  `${busy}/events`,
  `${busy}/members/all`,
  `${busy}/labels?with_counts=true`,
  `${busy}/milestones`,
  `${busy}/issues/1/notes`,
  `${measured}/commits?per_page=100`,
  `${measured}/commits?path=${encodeURIComponent(measuredFile)}`,
  `${measured}/tree?recursive=true&per_page=100`,
  `/api/v4/projects/${branchesProject}/repository/branches?per_page=100`,
  `/api/v4/projects/${historyProject}/repository/commits?per_page=100`,
  `/api/v4/projects/${historyProject}/repository/tree?recursive=true&per_page=100`,
  `/api/v4/projects/${changesProject}/repository/commits/large/diff`,
]

/**
 * Reads of lists, commits, folders, files and diffs, new issues and notes, pushes and clones, until
 * the signal. Beside the lists, the commits of a page are read one by one with their diffs.
 * @param folder an empty folder for the client's repositories
 */
export async function runMixedLoad(
  target: Target,
  folder: string,
  signal: AbortSignal,
): Promise<MixedLoad> {
  const waits: number[] = []
  const made = { writes: 0, pushes: 0, clones: 0 }
  const address = await createProject(target)
  const source = await createSource(folder, address)
  const commits = await commitsOf(target)
  const paths = [...lists, ...commits]
  let turn = 0
  async function readAll(): Promise<void> {
    while (!signal.aborted) {
      const path = paths[turn % paths.length] ?? ''
      const page = 1 + (Math.floor(turn / paths.length) % pages)
      turn += 1
      const started = performance.now()
      await read(target, `${path}${path.includes('?') ? '&' : '?'}page=${page}`)
      waits.push(performance.now() - started)
      await delay(pauses.read)
    }
  }
  await Promise.all([
    ...Array.from({ length: readers }, readAll),
    inTurn(signal, pauses.issue, async () => {
      await write(target, `${busy}/issues`, { title: 'Beside the lists', labels: 'bug' })
      made.writes += 1
    }),
    inTurn(signal, pauses.note, async () => {
      await write(target, `${busy}/issues/1/notes`, { body: `A **note**, number ${made.writes}` })
      made.writes += 1
    }),
    inTurn(signal, pauses.push, async () => {
      await push(source, made.pushes)
      made.pushes += 1
    }),
    inTurn(signal, pauses.clone, async () => {
      await runGit(folder, 'clone', '--quiet', '--bare', address, `clone-${made.clones}.git`)
      made.clones += 1
    }),
  ])
  waits.sort((a, b) => a - b)
  return { reads: waits.length, ...made, p50: at(waits, 0.5), p99: at(waits, 0.99) }
}

/** Does something again and again, at most once in a pause, and never twice at a time. */
async function inTurn(
  signal: AbortSignal,
  pause: number,
  action: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) await Promise.all([action(), delay(pause)])
}

/** The diffs of the newest commits. */
async function commitsOf(target: Target): Promise<string[]> {
  const answer = await read(target, `${measured}/commits?per_page=100`)
  const commits = (await answer.json()) as { id: string }[]
  return commits.map(({ id }) => `${measured}/commits/${id}/diff`)
}

async function read({ url }: Target, path: string): Promise<Response> {
  const headers = {
    'private-token': path.startsWith('/api/v4/application') ? root.token : member.token,
  }
  const answer = await fetch(url + path, { headers })
  if (answer.status >= 500) throw new Error(`${path} answers ${answer.status}`)
  return new Response(await answer.arrayBuffer(), { status: answer.status })
}

async function write({ url }: Target, path: string, body: object, caller: string = member.token) {
  const headers = { 'private-token': caller, 'content-type': 'application/json' }
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  await answer.arrayBuffer()
  if (answer.status !== 201) throw new Error(`${path} answers ${answer.status}`)
}

async function createProject(target: Target): Promise<string> {
  await write(
    target,
    '/api/v4/projects',
    { name: 'mixed-load', default_branch: 'main' },
    root.token,
  )
  const address = new URL(`${target.url}/root/mixed-load.git`)
  address.username = root.username
  address.password = root.token
  return address.href
}

async function createSource(folder: string, address: string): Promise<string> {
  const source = join(folder, 'source')
  await runGit(folder, 'init', '--quiet', '--initial-branch=main', source)
  await runGit(source, 'remote', 'add', 'origin', address)
  await push(source, 0)
  return source
}

/** Commits a change and pushes it. */
async function push(source: string, number: number): Promise<void> {
  await writeFile(join(source, `file-${number % 50}.txt`), `change ${number}\n`.repeat(200))
  await runGit(source, 'add', '.')
  const person = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com']
  await runGit(source, ...person, 'commit', '--quiet', '--allow-empty', '-m', `Change ${number}`)
  await runGit(source, 'push', '--quiet', 'origin', 'main')
}
