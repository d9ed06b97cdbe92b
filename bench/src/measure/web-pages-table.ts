import { reachedOrMissed, table, toTenths } from '../tables.ts'
import { type WebPageFigures, webPageGoals } from './web-pages.ts'

/** The pages, with the calls of the API that each makes. */
export function webPagesTable(figures: readonly WebPageFigures[]): string {
  return table(
    [
      ...['page', 'calls', 'p50 ms', 'of its calls', 'times', 'µs each', 'of its calls'],
      ...['by processor time', 'kB of HTML, compressed', 'goal'],
    ],
    figures.map(({ name, calls, p50, callsP50, cost, callsCost, size }) => {
      const reached =
        p50 <= webPageGoals.p50 && p50 <= webPageGoals.times * callsP50 && size <= webPageGoals.size
      return [
        ...[name, String(calls), toTenths(p50), toTenths(callsP50), (p50 / callsP50).toFixed(2)],
        ...[cost.toFixed(0), callsCost.toFixed(0), (cost / callsCost).toFixed(2)],
        ...[toTenths(size / 1000), reachedOrMissed(reached)],
      ]
    }),
  )
}
