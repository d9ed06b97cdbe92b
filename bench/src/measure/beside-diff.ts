import { largeCommits } from '../data/commit-stream.ts'
import { changesProject } from '../data/measured.ts'
import { load } from '../load/load.ts'
import { requestHeaders } from '../rows.ts'
import { startStithy } from '../servers.ts'

/** What others notice of a diff of many files. */
export interface BesideDiff {
  /** `GET /version` while nothing else is asked, and while the diff is: 99th percentile, milliseconds. */
  alone: number
  beside: number
  /** How many diffs were answered meanwhile. */
  diffs: number
}

/** The most that `beside` may be, in milliseconds. */
export const besideGoal = 50

/** Asks for the same large diff again and again while other requests come in. */
export async function measureBesideDiff(folder: string, seconds: number): Promise<BesideDiff> {
  const target = await startStithy(folder)
  const commits = `${target.url}/api/v4/projects/${changesProject}/repository/commits`
  const version = `${target.url}/api/v4/version`
  let ended = false
  let diffs = 0
  const askForDiffs = async () => {
    while (!ended) {
      // Each of them once before the first comes again.
      const commit = encodeURIComponent(`large~${diffs % largeCommits}`)
      const answer = await fetch(`${commits}/${commit}/diff`, { headers: requestHeaders })
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`The diff answers ${answer.status}`)
      diffs += 1
    }
  }
  try {
    await load(version, requestHeaders, 2)
    const alone = await load(version, requestHeaders, seconds)
    const asking = askForDiffs()
    const beside = await load(version, requestHeaders, seconds)
    ended = true
    await asking
    return { alone: alone.p99, beside: beside.p99, diffs }
  } finally {
    ended = true
    await target.stop()
  }
}
