import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { watchRequests } from '../review/liveness.ts'
import { startStithy, type Target } from '../servers.ts'
import { reachedOrMissed, table, toTenths } from '../tables.ts'

/** The maximum of the 99th percentile, in milliseconds. */
const latencyGoal = 50

const token = 'bench-hooks-token-0123456789'
const headers = { 'private-token': token }
/** As many as a project may have. */
const hookCount = 100
/** Hooks of one host. */
const hooksPerHost = 10
const eventCount = 100
const idleMs = 5000
const hangingMs = 20_000

/** How long `GET /version` waits, in milliseconds. */
export interface HangingHooksFigures {
  name: string
  p50: number
  p99: number
  max: number
}

/**
 * `GET /version` every 10 ms, without anything else and while 10,000 deliveries wait for hooks that
 * never answer, on an empty database on disk.
 */
export async function measureHangingHooks(): Promise<HangingHooksFigures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'stithy-bench-hooks-'))
  const env = {
    STITHY_ROOT_TOKEN: token,
    STITHY_ALLOW_LOCAL_REQUESTS_FROM_HOOKS_AND_SERVICES: 'true',
  }
  const hosts = await Promise.all(Array.from({ length: hookCount / hooksPerHost }, startSilentHost))
  const target = await startStithy(folder, { env })
  try {
    const project = await buildProject(target, hosts)
    const idle = await watched(target, 'nothing else', () => delay(idleMs))
    const hanging = await watched(target, '10,000 deliveries to hooks that hang', async () => {
      for (let event = 0; event < eventCount; event += 1) {
        await call(target, `/projects/${project}/issues`, { title: `Issue ${event}` })
      }
      await delay(hangingMs)
    })
    return [idle, hanging]
  } finally {
    await target.stop()
    for (const host of hosts) {
      host.closeAllConnections()
      host.close()
    }
    await rm(folder, { recursive: true, force: true })
  }
}

/** Takes requests, and answers none. */
async function startSilentHost(): Promise<Server> {
  const server = createServer((request) => void request.resume())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function buildProject(target: Target, hosts: readonly Server[]): Promise<number> {
  const { id } = await call(target, '/projects', { name: 'hooks' })
  for (const host of hosts) {
    const { port } = host.address() as AddressInfo
    for (let hook = 0; hook < hooksPerHost; hook += 1) {
      const url = `http://127.0.0.1:${port}/${hook}`
      await call(target, `/projects/${id}/hooks`, { url, issues_events: true })
    }
  }
  return id
}

async function call({ url }: Target, path: string, body: object): Promise<{ id: number }> {
  const answer = await fetch(`${url}/api/v4${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (answer.status !== 201) throw new Error(`POST ${path} answers ${answer.status}`)
  return answer.json() as Promise<{ id: number }>
}

async function watched(
  { url }: Target,
  name: string,
  work: () => Promise<unknown>,
): Promise<HangingHooksFigures> {
  const watch = await watchRequests(`${url}/api/v4/version`, headers)
  await work()
  const waits = (await watch.stop()).toSorted((a, b) => a - b)
  const at = (share: number) => waits[Math.floor(share * (waits.length - 1))] ?? Number.NaN
  return { name, p50: at(0.5), p99: at(0.99), max: at(1) }
}

export function hangingHooksTable(figures: readonly HangingHooksFigures[]): string {
  return table(
    ['`GET /version` beside', 'p50 ms', 'p99 ms', 'max ms', 'goal'],
    figures.map(({ name, p50, p99, max }) => [
      name,
      toTenths(p50),
      toTenths(p99),
      toTenths(max),
      `p99 ≤ ${latencyGoal} ms ${reachedOrMissed(p99 <= latencyGoal)}`,
    ]),
  )
}
