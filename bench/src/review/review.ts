import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStithy, type Site } from '../transfers/sites.ts'
import { type Accepts, measureAccepts } from './accepts.ts'
import { type Forks, measureForks } from './forks.ts'
import { type LargeRequest, measureLargeRequest } from './large-request.ts'
import { measureOperations, type Operation } from './operations.ts'

/** What git does for merge requests and forks. */
export interface ReviewFigures {
  operations: Operation[]
  accepts: Accepts
  large: LargeRequest
  forks: Forks
}

/** The repository that is forked. */
const forkedMebibytes = 1024

/** Measures merge requests and forks on servers of their own, which use both cores. */
export async function measureReview(rounds: number): Promise<ReviewFigures> {
  return {
    operations: await onSite(({ site, folder }) => measureOperations(site, folder, rounds)),
    accepts: await onSite(({ site, folder }) => measureAccepts(site, folder)),
    large: await onSite(({ site, folder }) => measureLargeRequest(site, folder)),
    forks: await onSite(({ site, folder, data }) =>
      measureForks(site, folder, { mebibytes: forkedMebibytes, rounds, data }),
    ),
  }
}

interface Place {
  site: Site
  /** For sources. */
  folder: string
  /** Of the server. */
  data: string
}

async function onSite<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'stithy-review-'))
  const data = join(folder, 'stithy')
  const site = await openStithy(data, { core: 'any' })
  try {
    return await work({ site, folder, data })
  } finally {
    await site.target.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
