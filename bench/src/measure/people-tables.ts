import { percent, reachedOrMissed, table } from '../tables.ts'
import { changeLimit, levelLimit, type PeopleFigures, type PeopleRow } from './people.ts'

/** The figures of `people` as Markdown tables. */
export function peopleTables({ rows, level, changes }: PeopleFigures): string[] {
  const cells = (values: readonly number[]) => values.map((value) => value.toFixed(2))
  const tables: string[] = []
  if (rows.length > 0) {
    tables.push(
      table(
        ['people', ...roundHead('baseline'), ...roundHead('Stithy'), ...ratioHead],
        rows.map(rowCells),
      ),
    )
  }
  return [
    ...tables,
    table(
      ['effective membership', 'baseline p50 ms', 'Stithy p50 ms', 'p99 ms', 'goal'],
      [
        [
          'five groups deep, two shares',
          ...[level.baseline, level.stithy, level.p99].map((value) => value.toFixed(3)),
          `≤ ${levelLimit} ms ${reachedOrMissed(level.p99 <= levelLimit)}`,
        ],
      ],
    ),
    table(
      ['member of the group of 10,000 projects', 'p50 ms', 'max ms', 'goal'],
      changes.map(({ name, p50, max }) => [
        name,
        ...cells([p50, max]),
        `≤ ${changeLimit} ms ${reachedOrMissed(max <= changeLimit)}`,
      ]),
    ),
  ]
}

const roundHead = (who: string) => [`${who}/s`, 'µs each']
const aloneHead = ['alone: baseline p50 ms', 'Stithy p50 ms', 'p99 ms', 'goal for p50']
const ratioHead = ['ratio', 'by processor time', 'goal', ...aloneHead]

/** The share is judged by processor time, since both servers wait for the same machine. */
function rowCells(row: PeopleRow): string[] {
  const { name, first, second, ratio, costRatio, goal, limit, alone } = row
  const rates = [first, second].flatMap(({ rate, cost }) => [rate.toFixed(0), cost.toFixed(0)])
  const share = `≥ ${percent(goal)} ${reachedOrMissed(costRatio >= goal)}`
  const times = [alone.baseline, alone.stithy, alone.p99].map((time) => time.toFixed(2))
  const soon = limit === undefined ? '' : `≤ ${limit} ${reachedOrMissed(alone.stithy <= limit)}`
  return [name, ...rates, percent(ratio), percent(costRatio), share, ...times, soon]
}
