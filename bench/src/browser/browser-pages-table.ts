import { table, toTenths } from '../tables.ts'
import type { BrowserPageFigures, PageTimes } from './browser-pages.ts'

/** The pages in a browser, beside those of cgit. */
export function browserPagesTable(figures: readonly BrowserPageFigures[]): string {
  const head = (who: string) => [`${who}: received ms`, 'painted ms', 'loaded ms', 'kB', 'shift']
  return table(
    ['page', ...head('cgit'), ...head('Stithy'), 'times to paint'],
    figures.map(({ name, cgit, stithy }) => [
      name,
      ...cells(cgit),
      ...cells(stithy),
      (stithy.painted / cgit.painted).toFixed(2),
    ]),
  )
}

function cells({ received, painted, loaded, bytes, shift }: PageTimes): string[] {
  const times = [received, painted, loaded].map(toTenths)
  return [...times, toTenths(bytes / 1000), shift.toFixed(3)]
}
