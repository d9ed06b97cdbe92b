import { runGit } from '../transfers/client.ts'
import type { Site } from '../transfers/sites.ts'
import { accept, openRequest, timeOf, untilMergeable } from './api.ts'
import { watchLiveness } from './liveness.ts'
import { buildBranches } from './source.ts'

/** Merge requests of different projects that are accepted at the same time. */
export interface Accepts {
  count: number
  perSecond: number
  /** The longest that `GET /-/liveness`, asked every 10 ms, waited for its answer meanwhile. */
  liveness: number
}

/** The minimum of merge requests per second, on two cores. */
export const acceptsGoal = 25

const count = 100

/** Accepts a merge request in each of a hundred projects at once. */
export async function measureAccepts(site: Site, folder: string): Promise<Accepts> {
  const source = { files: 100, branches: ['topic'], commits: 2, changed: 3 }
  const origin = await buildBranches(folder, 'accepted.git', source)
  const requests: string[] = []
  for (let index = 0; index <= count; index += 1) {
    const name = `accepted-${index}`
    await runGit(origin, 'push', '--quiet', await site.create(name), 'main', 'topic')
    const request = await openRequest(site, name, 'topic')
    await untilMergeable(site, request)
    requests.push(request)
  }
  const [first = '', ...others] = requests
  // The code is compiled.
  await accept(site, first)
  const watch = await watchLiveness(site.target.url)
  const ms = await timeOf(() => Promise.all(others.map((request) => accept(site, request))))
  return { count, perSecond: (1000 * count) / ms, liveness: await watch.stop() }
}
