import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { createClient, type Fetch } from '@stithy/client'
import { createPermits } from '@stithy/web'
import { createWeb } from '@stithy/web/pages'
import Sqlite from 'better-sqlite3'
import { databaseOf } from '../data/generate.ts'
import {
  branchesProject,
  busyProject,
  changesProject,
  historyProject,
  measuredFile,
  measuredProject,
  member,
} from '../data/measured.ts'
import { type LoadOptions, load } from '../load/load.ts'
import { requestHeaders } from '../rows.ts'
import { startStithy, type Target } from '../servers.ts'
import { readProcessorTime } from './processes.ts'

/** The cost of one page, beside that of the calls of the API that it makes. */
export interface WebPageFigures {
  name: string
  calls: number
  /** Milliseconds, one request at a time. */
  p50: number
  /** The sum of those of its calls. */
  callsP50: number
  /** Microseconds of processor time. */
  cost: number
  callsCost: number
  /** The compressed markup, in bytes. */
  size: number
}

/** The most for the server's time in milliseconds, for the calls, and for the compressed markup in bytes. */
export const webPageGoals = { p50: 30, times: 2, size: 60_000 } as const

/** Of the member, in a browser. */
export const session = {
  cookie: 'bench-session-0123456789',
  csrfToken: 'bench-csrf-token-0123456789',
}

/** As Chromium sends it to servers that it trusts: over HTTPS, or on the same machine. */
const browserHeaders = { 'accept-encoding': 'gzip, deflate, br, zstd' }

/** Measures pages as a signed-in member gets them, one request at a time. */
export async function measureWebPages(folder: string, seconds: number): Promise<WebPageFigures[]> {
  openSession(folder)
  const target = await startStithy(folder)
  try {
    const figures: WebPageFigures[] = []
    for (const { name, address } of await listPages(target)) {
      process.stderr.write(`measuring ${name}: ${address}\n`)
      figures.push(await measurePage(target, name, address, seconds))
    }
    return figures
  } finally {
    await target.stop()
  }
}

/** A session of the member, as a sign-in would open it. */
export function openSession(folder: string): void {
  const db = new Sqlite(databaseOf(folder))
  try {
    const id = createHash('sha256').update(session.cookie).digest('hex')
    const year = 365 * 86_400_000
    db.prepare(
      `insert or replace into sessions ("id", "userId", "csrfToken", "createdAt", "expiresAt")
       values (?, ?, ?, ?, ?)`,
    ).run(id, member.id, session.csrfToken, Date.now(), Date.now() + year)
  } finally {
    db.close()
  }
}

interface NamedPage {
  name: string
  address: string
}

async function listPages(target: Target): Promise<NamedPage[]> {
  const [code, busy, long, branches, changes] = await Promise.all(
    [measuredProject.id, busyProject, historyProject, branchesProject, changesProject].map((id) =>
      pathOfProject(target, id),
    ),
  )
  const opened = `${changes}/-/merge_requests/${await openMergeRequest(target)}`
  return [
    { name: 'home', address: '/' },
    { name: 'projects', address: '/dashboard/projects' },
    { name: 'project', address: `${code}` },
    { name: 'project with a long history', address: `${long}` },
    { name: 'folder', address: `${code}/-/tree/main/src` },
    { name: 'file', address: `${code}/-/blob/main/${measuredFile}` },
    { name: 'blame', address: `${code}/-/blame/main/${measuredFile}` },
    { name: 'commits', address: `${long}/-/commits/main` },
    { name: 'diff of many files', address: `${changes}/-/commit/large` },
    { name: 'branches', address: `${branches}/-/branches` },
    { name: 'issues', address: `${busy}/-/issues` },
    { name: 'issue', address: `${busy}/-/issues/1` },
    { name: 'merge requests', address: `${busy}/-/merge_requests` },
    { name: 'merge request', address: opened },
    { name: 'changes of a merge request', address: `${opened}/diffs` },
    { name: 'milestones', address: `${busy}/-/milestones` },
    { name: 'labels', address: `${busy}/-/labels` },
    { name: 'members', address: `${busy}/-/project_members` },
    { name: 'user', address: `/${member.username}` },
  ]
}

/** The address of a project's page. */
export async function pathOfProject({ url }: Target, id: number): Promise<string> {
  const answer = await fetch(`${url}/api/v4/projects/${id}`, { headers: requestHeaders })
  const { path_with_namespace: path } = (await answer.json()) as { path_with_namespace: string }
  return `/${path}`
}

/**
 * Opens a merge request of commits that change many files, if there is none yet, and returns its
 * number: those of the data have no commits.
 */
async function openMergeRequest(target: Target): Promise<number> {
  const requests = `${target.url}/api/v4/projects/${changesProject}/merge_requests`
  const branches = { source_branch: 'large', target_branch: 'main' }
  const query = new URLSearchParams({ ...branches, state: 'opened' })
  const found = await fetch(`${requests}?${query}`, { headers: requestHeaders })
  const [request] = (await found.json()) as { iid: number }[]
  if (request !== undefined) return request.iid
  const created = await fetch(requests, {
    method: 'POST',
    headers: { ...requestHeaders, 'content-type': 'application/json' },
    body: JSON.stringify({ ...branches, title: 'Many files' }),
  })
  if (created.status !== 201) throw new Error(`POST ${requests} answers ${created.status}`)
  return ((await created.json()) as { iid: number }).iid
}

async function measurePage(
  target: Target,
  name: string,
  address: string,
  seconds: number,
): Promise<WebPageFigures> {
  const headers = { cookie: `_service_session=${session.cookie}`, ...browserHeaders }
  const response = await fetch(target.url + address, { headers })
  const markup = await response.text()
  if (response.status !== 200) throw new Error(`${address} answers ${response.status}`)
  const calls = await callsOf(target, address)
  const whole = await timeRequest(target, address, headers, seconds)
  let [callsP50, callsCost] = [0, 0]
  for (const { path, body } of calls) {
    const each = await timeRequest(target, path, requestHeaders, seconds / 2, body)
    callsP50 += each.p50
    callsCost += each.cost
  }
  const size = gzipSync(markup).length
  return { name, calls: calls.length, ...whole, callsP50, callsCost, size }
}

interface ApiCall {
  path: string
  /** Of a POST. */
  body: object | undefined
}

/**
 * The calls of a page that succeed: it is rendered here, with a client that calls over the network.
 * An address may name a page of one project or another project, so that a call may find nothing.
 */
async function callsOf(target: Target, address: string): Promise<ApiCall[]> {
  const calls: ApiCall[] = []
  const recording: Fetch = async (url, init) => {
    const path = url.slice(target.url.length)
    const { body } = init
    const answer = await fetch(url, init)
    if (answer.ok)
      calls.push({ path, body: typeof body === 'string' ? JSON.parse(body) : undefined })
    return answer
  }
  const client = createClient({ baseUrl: target.url, token: member.token, fetch: recording })
  // Over the network a check would be the call itself.
  const allowed: Fetch = async () => new Response(null, { status: 204 })
  const permits = createPermits({ baseUrl: target.url, fetch: allowed })
  const { status } = await createWeb().handle({
    method: 'GET',
    address,
    client,
    permits,
    csrfToken: session.csrfToken,
    now: Date.now(),
  })
  if (status !== 200) throw new Error(`${address} answers ${status} over the network`)
  return calls
}

async function timeRequest(
  target: Target,
  path: string,
  headers: Record<string, string>,
  seconds: number,
  body?: object,
): Promise<{ p50: number; cost: number }> {
  const options: LoadOptions = { connections: 1, ...(body === undefined ? {} : { body }) }
  await load(target.url + path, headers, seconds / 2, options)
  const before = readProcessorTime(target.pid)
  const { p50, requests } = await load(target.url + path, headers, seconds, options)
  return { p50, cost: ((readProcessorTime(target.pid) - before) * 1_000_000) / requests }
}
