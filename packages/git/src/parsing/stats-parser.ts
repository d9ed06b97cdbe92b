/** Lines added and deleted. */
export interface CommitStats {
  additions: number
  deletions: number
}

/** Parses the output of `git log --shortstat --format=%H`, by commit id. */
export function parseStats(output: string): Map<string, CommitStats> {
  const stats = new Map<string, CommitStats>()
  let current: CommitStats = { additions: 0, deletions: 0 }
  for (const line of output.split('\n')) {
    if (/^[0-9a-f]{40}$/.test(line)) {
      current = { additions: 0, deletions: 0 }
      stats.set(line, current)
    } else {
      current.additions += Number(/(\d{1,15}) insertion/.exec(line)?.[1] ?? 0)
      current.deletions += Number(/(\d{1,15}) deletion/.exec(line)?.[1] ?? 0)
    }
  }
  return stats
}
