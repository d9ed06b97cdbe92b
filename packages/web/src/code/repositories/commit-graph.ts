/** A commit in a list, newest first. */
export interface GraphCommit {
  id: string
  parent_ids: readonly string[]
}

/** A line from a commit to a parent; rows count from the top, lanes from the left. */
export interface GraphEdge {
  fromRow: number
  fromLane: number
  /** The lane that it runs in between both. */
  lane: number
  /** The number of rows, if the parent is not among the commits. */
  toRow: number
  toLane: number
}

export interface CommitGraph {
  /** The lane of each commit. */
  lanes: number[]
  edges: GraphEdge[]
  /** Lanes beside each other at the most. */
  width: number
}

interface OpenEdge {
  fromRow: number
  fromLane: number
  lane: number
}

/** Places commits in lanes so that lines of history run straight. */
export function layOutGraph(commits: readonly GraphCommit[]): CommitGraph {
  const waiting: (string | undefined)[] = []
  const open = new Map<string, OpenEdge[]>()
  const graph: CommitGraph = { lanes: [], edges: [], width: 0 }
  for (const [row, { id, parent_ids: parents }] of commits.entries()) {
    const lane = takeLane(waiting, id)
    graph.lanes.push(lane)
    for (const edge of open.get(id) ?? []) graph.edges.push({ ...edge, toRow: row, toLane: lane })
    open.delete(id)
    for (const [index, parent] of parents.entries()) {
      const known = waiting.indexOf(parent)
      const next = index === 0 ? lane : known >= 0 ? known : freeLane(waiting)
      waiting[next] = parent
      const edge = { fromRow: row, fromLane: lane, lane: next }
      open.set(parent, [...(open.get(parent) ?? []), edge])
    }
    graph.width = Math.max(graph.width, waiting.length)
  }
  for (const edge of [...open.values()].flat()) {
    graph.edges.push({ ...edge, toRow: commits.length, toLane: edge.lane })
  }
  return graph
}

/** The first lane that waits for a commit; all that wait for it end there. */
function takeLane(waiting: (string | undefined)[], id: string): number {
  const found = waiting.indexOf(id)
  const lane = found >= 0 ? found : freeLane(waiting)
  for (const [at, awaited] of waiting.entries()) if (awaited === id) waiting[at] = undefined
  if (lane === waiting.length) waiting.push(undefined)
  while (waiting.length > lane + 1 && waiting.at(-1) === undefined) waiting.pop()
  return lane
}

function freeLane(waiting: readonly (string | undefined)[]): number {
  const free = waiting.indexOf(undefined)
  return free >= 0 ? free : waiting.length
}
