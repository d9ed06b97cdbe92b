import { cpSync, rmSync } from 'node:fs'
import { largeEpic, mediumEpic, root } from '../data/measured.ts'
import { measuredGroup } from '../item-rows.ts'
import { dataFolder } from '../paths.ts'
import { startStithy } from '../servers.ts'
import { reachedOrMissed, table } from '../tables.ts'
import { median } from './pairs.ts'

/** The most that a move in an epic with many issues may take, as a multiple of one with 100. */
const moveGoal = 1.5

/** Moves of an issue within an epic, one at a time. */
export interface EpicMoveFigures {
  /** Of the epic. */
  issues: number
  /** The median response time, in milliseconds. */
  ms: number
}

/** Of each epic. */
const moves = 200

const epics = `/api/v4/groups/${measuredGroup}/epics`
const headers = { 'private-token': root.token, 'content-type': 'application/json' }

/**
 * Moves the third issue of an epic before the first, again and again: in an epic with about 100 issues,
 * as many as the answer has, and in one with many, in turns, on a copy of a data folder.
 */
export async function measureEpicMoves(from: string): Promise<EpicMoveFigures[]> {
  const folder = dataFolder('epic-moves')
  rmSync(folder, { recursive: true, force: true })
  cpSync(from, folder, { recursive: true })
  const target = await startStithy(folder)
  try {
    const subjects = [
      `${target.url}${epics}/${mediumEpic}/issues`,
      `${target.url}${epics}/${largeEpic}/issues`,
    ]
    const times = subjects.map((): number[] => [])
    for (let move = 0; move < moves; move += 1) {
      for (const [index, url] of subjects.entries()) times[index]?.push(await moveThird(url))
    }
    const figures: EpicMoveFigures[] = []
    for (const [index, url] of subjects.entries()) {
      figures.push({ issues: await countIssues(url), ms: median(times[index] ?? []) })
    }
    return figures
  } finally {
    await target.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function countIssues(url: string): Promise<number> {
  const answer = await fetch(`${url}?per_page=1`, { headers })
  await answer.arrayBuffer()
  return Number(answer.headers.get('x-total'))
}

/** How long the move took, in milliseconds. */
async function moveThird(url: string): Promise<number> {
  const listed = await fetch(`${url}?per_page=3`, { headers })
  const [first, , third] = (await listed.json()) as { epic_issue_id: number }[]
  const body = JSON.stringify({ move_before_id: first?.epic_issue_id })
  const started = performance.now()
  const answer = await fetch(`${url}/${third?.epic_issue_id}`, { method: 'PUT', headers, body })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}`)
  return performance.now() - started
}

/** The moves as a Markdown table. */
export function epicMovesTable(figures: readonly EpicMoveFigures[]): string {
  const few = figures[0]?.ms ?? 0
  return table(
    ['issues of the epic', 'a move, ms', 'times', 'goal'],
    figures.map(({ issues, ms }) => [
      String(issues),
      ms.toFixed(2),
      (ms / few).toFixed(2),
      `≤ ${moveGoal} ${reachedOrMissed(ms <= moveGoal * few)}`,
    ]),
  )
}
