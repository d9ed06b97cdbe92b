import { setTimeout as delay } from 'node:timers/promises'
import { readMemory } from '../measure/processes.ts'
import { runGit } from '../transfers/client.ts'
import type { Site } from '../transfers/sites.ts'
import { accept, call, openRequest, rebase, untilMergeable } from './api.ts'
import { watchLiveness } from './liveness.ts'
import { buildBranches } from './source.ts'

/** A merge request that changes many files, from its opening to its merge. */
export interface LargeRequest {
  files: number
  seconds: number
  /** The longest that `GET /-/liveness`, asked every 10 ms, waited for its answer meanwhile. */
  liveness: number
  /** Resident memory in MiB: before, and the peak of the server and of git. */
  before: number
  server: number
  git: number
}

const files = 3000
const name = 'large-request'

/** Opens, compares, rebases and merges a merge request of 3,000 changed files. */
export async function measureLargeRequest(site: Site, folder: string): Promise<LargeRequest> {
  const source = { files: 20_000, branches: ['topic'], commits: 3, changed: files / 3 }
  const origin = await buildBranches(folder, `${name}.git`, source)
  await runGit(origin, 'push', '--quiet', await site.create(name), 'main', 'topic')
  const watch = await watchLiveness(site.target.url)
  const memory = watchMemory(site.target.pid)
  const start = performance.now()
  const request = await openRequest(site, name, 'topic')
  await untilMergeable(site, request)
  const { changes } = await call(site, 'GET', `${request}/changes`)
  if (changes.length === 0) throw new Error(`${request} has no changes`)
  const aside = { branch: 'main', commit_message: 'Aside', content: 'aside' }
  const [project = ''] = request.split('/merge_requests/')
  await call(site, 'POST', `${project}/repository/files/aside`, aside)
  await rebase(site, request)
  await untilMergeable(site, request)
  await accept(site, request)
  const seconds = (performance.now() - start) / 1000
  return { files, seconds, liveness: await watch.stop(), ...(await memory.stop()) }
}

function watchMemory(pid: number) {
  const ended = new AbortController()
  const before = readMemory(pid).server
  const peak = { server: 0, git: 0 }
  const watching = (async () => {
    while (!ended.signal.aborted) {
      const { server, children } = readMemory(pid)
      peak.server = Math.max(peak.server, server)
      peak.git = Math.max(peak.git, children)
      await delay(50)
    }
  })()
  return {
    async stop() {
      ended.abort()
      await watching
      return { before, ...peak }
    },
  }
}
