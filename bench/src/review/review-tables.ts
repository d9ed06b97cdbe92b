import { livenessGoal } from '../measure/waits.ts'
import { reachedOrMissed, table, toTenths } from '../tables.ts'
import { type Accepts, acceptsGoal } from './accepts.ts'
import { type Forks, forkGoals } from './forks.ts'
import type { LargeRequest } from './large-request.ts'
import type { Operation } from './operations.ts'
import type { ReviewFigures } from './review.ts'

const liveness = ['liveness, max ms', 'goal']
const atMost = (value: number, goal: number) => `≤ ${goal} ${reachedOrMissed(value <= goal)}`
const waits = (ms: number) => [toTenths(ms), atMost(ms, livenessGoal)]

/** The figures of merge requests and forks as Markdown tables. */
export function reviewTables({ operations, accepts, large, forks }: ReviewFigures): string[] {
  return [operationTable(operations), acceptsTable(accepts), largeTable(large), forkTable(forks)]
}

function operationTable(operations: readonly Operation[]): string {
  return table(
    ['merge requests', 'git in a shell, ms', 'Stithy, ms', 'times', 'goal, ms', ...liveness],
    operations.map(({ name, git, stithy, goal, liveness: wait }) => [
      name,
      ...[git, stithy].map(toTenths),
      (stithy / git).toFixed(2),
      goal === undefined ? '' : atMost(stithy, goal),
      ...waits(wait),
    ]),
  )
}

function acceptsTable({ count, perSecond, liveness: wait }: Accepts): string {
  return table(
    ['accepted at once', 'per second', 'goal', ...liveness],
    [
      [
        `${count} in as many projects`,
        toTenths(perSecond),
        `≥ ${acceptsGoal} ${reachedOrMissed(perSecond >= acceptsGoal)}`,
        ...waits(wait),
      ],
    ],
  )
}

function largeTable({ files, seconds, server, before, git, liveness: wait }: LargeRequest): string {
  return table(
    ['opened, diffed, rebased, merged', 'seconds', 'server, MiB', 'git, MiB', ...liveness],
    [
      [
        `${files} changed files`,
        toTenths(seconds),
        `${server.toFixed(0)}, before ${before.toFixed(0)}`,
        git.toFixed(0),
        ...waits(wait),
      ],
    ],
  )
}

function forkTable({ mebibytes, copy, fork, disk }: Forks): string {
  return table(
    [`fork of ${mebibytes} MiB`, 'cp -al, ms', 'Stithy, ms', 'goal', 'disk, MiB', 'goal'],
    [
      [
        'fork',
        ...[copy, fork].map(toTenths),
        atMost(fork, forkGoals.ms),
        disk.toFixed(2),
        atMost(disk, forkGoals.mebibytes),
      ],
    ],
  )
}
