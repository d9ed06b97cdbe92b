import { setTimeout as delay } from 'node:timers/promises'
import { rootToken, type Site } from '../transfers/sites.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as the untyped JSON that clients see.
type Json = any

/** Calls the API of a server as its administrator; throws if it refuses. */
export async function call(
  { target }: Site,
  method: string,
  path: string,
  body?: object,
): Promise<Json> {
  const headers = { 'private-token': rootToken, 'content-type': 'application/json' }
  const options = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${target.url}/api/v4${path}`, { method, headers, ...options })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${text}`)
  return JSON.parse(text)
}

/** The path of a project of the administrator. */
export function projectPath(name: string): string {
  return `/projects/${encodeURIComponent(`root/${name}`)}`
}

/** Opens a merge request into `main`, once its branches are there; returns its path. */
export async function openRequest(site: Site, name: string, branch: string): Promise<string> {
  const requests = `${projectPath(name)}/merge_requests`
  const body = { source_branch: branch, target_branch: 'main', title: `Merge ${branch}` }
  const { iid } = await call(site, 'POST', requests, body)
  return `${requests}/${iid}`
}

/** Reads a merge request until it is known whether it can be merged, as a page that shows it does. */
export async function untilMergeable(site: Site, request: string): Promise<void> {
  await until(async () => {
    const { merge_status: status } = await call(site, 'GET', request)
    if (status === 'cannot_be_merged') throw new Error(`${request} cannot be merged`)
    return status === 'can_be_merged'
  })
}

/** Rebases a merge request; resolves when it is done. */
export async function rebase(site: Site, request: string): Promise<void> {
  await call(site, 'PUT', `${request}/rebase`)
  await until(async () => {
    const answer = await call(site, 'GET', `${request}?include_rebase_in_progress=true`)
    if (answer.merge_error !== null) throw new Error(`${request}: ${answer.merge_error}`)
    return answer.rebase_in_progress === false
  })
}

export async function accept(site: Site, request: string): Promise<void> {
  const { state, merge_error: error } = await call(site, 'PUT', `${request}/merge`)
  if (state !== 'merged') throw new Error(`${request} is ${state}: ${error}`)
}

/** Asks every few milliseconds. */
async function until(ask: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 120_000
  while (!(await ask())) {
    if (performance.now() > end) throw new Error('It takes too long')
    await delay(5)
  }
}

/** Milliseconds that an action takes. */
export async function timeOf(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}
