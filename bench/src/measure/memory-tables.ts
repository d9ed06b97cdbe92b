import { reachedOrMissed, table } from '../tables.ts'
import { type MemoryFigures, memoryGoals } from './memory.ts'

/** Growth below this is noise of the measurement, MiB. */
const noise = 5

/** One table of memory and one of the load, with a line for each checkout. */
export function memoryTables(figures: readonly MemoryFigures[]): string[] {
  return [memoryTable(figures), loadTable(figures)]
}

function memoryTable(figures: readonly MemoryFigures[]): string {
  return table(
    [
      'MiB',
      'at rest',
      'goal',
      'middle',
      'end',
      'goal',
      'growth',
      'goal',
      'most',
      '90 s later',
      'git',
    ],
    figures.map(({ minutes, idle, middle, end, peak, rest }) => [
      `${minutes} minutes, end by PSS ${end.pss.toFixed(0)}`,
      idle.alone.toFixed(0),
      `≤ ${memoryGoals.idle} ${reachedOrMissed(idle.alone <= memoryGoals.idle)}`,
      middle.alone.toFixed(0),
      end.alone.toFixed(0),
      `≤ ${memoryGoals.used} ${reachedOrMissed(end.alone <= memoryGoals.used)}`,
      (end.alone - middle.alone).toFixed(0),
      `≤ ${noise} ${reachedOrMissed(end.alone - middle.alone <= noise)}`,
      peak.alone.toFixed(0),
      rest.alone.toFixed(0),
      end.git.toFixed(0),
    ]),
  )
}

function loadTable(figures: readonly MemoryFigures[]): string {
  return table(
    ['load', 'reads', 'p50 ms', 'p99 ms', 'writes', 'pushes', 'clones', 'processor seconds'],
    figures.map(({ load, processorTime }, index) => [
      index === figures.length - 1 ? 'this checkout' : 'before',
      load.reads.toFixed(0),
      load.p50.toFixed(1),
      load.p99.toFixed(0),
      load.writes.toFixed(0),
      load.pushes.toFixed(0),
      load.clones.toFixed(0),
      processorTime.toFixed(0),
    ]),
  )
}
