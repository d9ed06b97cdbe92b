import { largeCommits } from '../data/commit-stream.ts'
import { changesProject } from '../data/measured.ts'
import { load } from '../load/load.ts'
import { requestHeaders } from '../rows.ts'
import { startStithy } from '../servers.ts'

/** The effect of a diff of many files on other requests. */
export interface BesideDiff {
  /**
   * The 99th percentile of `GET /version` in milliseconds, without other requests and during the
   * diff.
   */
  alone: number
  beside: number
  /** Diffs completed in the meantime. */
  diffs: number
}

/** The maximum of `beside`, in milliseconds. */
export const besideGoal = 50

/** Requests the same large diff repeatedly while other requests are made. */
export async function measureBesideDiff(folder: string, seconds: number): Promise<BesideDiff> {
  const target = await startStithy(folder)
  const commits = `${target.url}/api/v4/projects/${changesProject}/repository/commits`
  const version = `${target.url}/api/v4/version`
  let ended = false
  let diffs = 0
  const askForDiffs = async () => {
    while (!ended) {
      // All of them before the first is repeated.
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
