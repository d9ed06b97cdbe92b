import { rm } from 'node:fs/promises'
import { busyProject, member, root } from '../data/measured.ts'
import { issueRows } from '../issue-rows.ts'
import { mergeRequestRows } from '../merge-request-rows.ts'
import { startIdle, startStithy, type Target } from '../servers.ts'
import { copyIndexed } from './indexed-copy.ts'
import { at, repeat } from './timing.ts'
import { type WaitsBeside, watchBoth } from './waits.ts'

/** What the first request of every list does to others. */
export interface FirstTotals {
  waits: WaitsBeside
  /** Writes beside, and their slowest. */
  writes: { made: number; p50: number; max: number }
  lists: FirstTotal[]
}

/** A list on a server that has not read it yet. */
export interface FirstTotal {
  caller: string
  path: string
  status: number
  ms: number
}

const writePause = 100
/** Clients that ask for lists. */
const clients = 4

const project = `/api/v4/projects/${busyProject}`

/** Of the member. */
const memberPaths = [
  ...[...issueRows.sizeRows, ...mergeRequestRows.sizeRows].map(({ path }) => path),
  '/api/v4/users',
  '/api/v4/users?search=an',
  '/api/v4/users?active=true',
  '/api/v4/projects',
  '/api/v4/projects?search=server',
  '/api/v4/projects?order_by=last_activity_at',
  '/api/v4/projects?membership=true',
  '/api/v4/groups',
  '/api/v4/groups?search=server',
  '/api/v4/groups?all_available=true',
  '/api/v4/groups/1/projects?include_subgroups=true',
  '/api/v4/namespaces',
  '/api/v4/namespaces?search=server',
  '/api/v4/events',
  '/api/v4/events?action=pushed',
  `/api/v4/users/${member.id}/events`,
  `/api/v4/users/${member.id}/projects`,
  `/api/v4/users/${member.id}/starred_projects`,
  `${project}/events`,
  `${project}/events?action=pushed`,
  `${project}/members`,
  `${project}/members/all`,
  `${project}/users`,
  `${project}/labels?with_counts=true`,
  `${project}/milestones`,
  `${project}/issues_statistics`,
  `${project}/issues/1/notes`,
  `${project}/snippets`,
  '/api/v4/groups/1/labels?with_counts=true',
  '/api/v4/groups/1/milestones',
  '/api/v4/groups/1/issues_statistics',
  '/api/v4/issues_statistics?scope=all',
  '/api/v4/issues_statistics?scope=all&search=server',
  '/api/v4/todos',
  '/api/v4/snippets/public',
]

/** Of the administrator, who sees everything. */
const rootPaths = [
  '/api/v4/issues?scope=all',
  '/api/v4/issues?scope=all&labels=bug',
  '/api/v4/issues?scope=all&search=server',
  '/api/v4/issues?scope=all&order_by=updated_at',
  '/api/v4/merge_requests?scope=all',
  '/api/v4/merge_requests?scope=all&labels=bug',
  '/api/v4/merge_requests?scope=all&search=server',
  '/api/v4/users',
  '/api/v4/users?search=an',
  '/api/v4/projects',
  '/api/v4/projects?statistics=true',
  '/api/v4/groups',
  '/api/v4/namespaces',
  '/api/v4/events',
  '/api/v4/application/statistics',
  '/api/v4/issues_statistics?scope=all',
]

/** Asks for every list once, beside writes, on a server that was just started on a copy. */
export async function measureFirstTotals(folder: string): Promise<FirstTotals> {
  const copy = `${folder}-copy`
  await rm(copy, { recursive: true, force: true })
  try {
    await copyIndexed(folder, copy)
    // Threads need the other core.
    const target = await startStithy(copy, { core: 'any' })
    const idle = await startIdle()
    try {
      return await measure(target, idle)
    } finally {
      await Promise.all([target.stop(), idle.stop()])
    }
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

async function measure(target: Target, idle: Target): Promise<FirstTotals> {
  const watch = await watchBoth(target, idle)
  const writes: number[] = []
  const ended = new AbortController()
  const beside = repeat(ended.signal, writePause, async () =>
    writes.push(await timeOf(createIssue(target))),
  )
  const lists = await askForAll(target).finally(() => ended.abort())
  await beside
  const waits = await watch.stop()
  writes.sort((a, b) => a - b)
  return {
    waits,
    writes: { made: writes.length, p50: at(writes, 0.5), max: at(writes, 1) },
    lists: lists.toSorted((a, b) => b.ms - a.ms),
  }
}

async function timeOf(request: Promise<Response>): Promise<number> {
  const started = performance.now()
  const answer = await request
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${answer.url} answers ${answer.status}`)
  return performance.now() - started
}

function createIssue({ url }: Target): Promise<Response> {
  const headers = { 'private-token': member.token, 'content-type': 'application/json' }
  const body = JSON.stringify({ title: 'Written beside the lists', labels: 'bug' })
  return fetch(`${url}${project}/issues`, { method: 'POST', headers, body })
}

async function askForAll({ url }: Target): Promise<FirstTotal[]> {
  const left = [
    ...rootPaths.map((path) => ({ path, caller: root })),
    ...memberPaths.map((path) => ({ path, caller: member })),
  ]
  const lists: FirstTotal[] = []
  async function client(): Promise<void> {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { path, caller } = next
      const started = performance.now()
      const answer = await fetch(url + path, { headers: { 'private-token': caller.token } })
      await answer.arrayBuffer()
      lists.push({
        caller: caller.username,
        path,
        status: answer.status,
        ms: performance.now() - started,
      })
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return lists
}
