import { all, closest } from './dom.ts'

const pattern = /^#L(\d{1,9})(?:-L?(\d{1,9}))?$/

/** Lines of a file are chosen by pressing their numbers, with Shift up to another: `#L3-7`. */
export function startLineRanges(): void {
  if (document.getElementById('L1') === null) return
  let from = range()?.[0] ?? 0
  document.addEventListener('click', (event) => {
    const link = closest<HTMLAnchorElement>(event, 'a[href^="#L"]')
    const line = Number(link?.hash.slice(2))
    if (link === null || !Number.isSafeInteger(line) || line < 1) return
    if (event.shiftKey && from > 0 && from !== line) {
      event.preventDefault()
      const [start, end] = [Math.min(from, line), Math.max(from, line)]
      history.replaceState(null, '', `#L${start}-${end}`)
      mark()
      return
    }
    from = line
  })
  addEventListener('hashchange', mark)
  mark()
  const start = range()?.[0]
  if (start !== undefined && location.hash.includes('-')) {
    document.getElementById(`L${start}`)?.scrollIntoView({ block: 'center' })
  }
}

function range(): [number, number] | undefined {
  const found = pattern.exec(location.hash)
  if (found === null) return undefined
  const start = Number(found[1])
  return [start, Math.max(start, Number(found[2] ?? start))]
}

/** Longer ranges are marked up to here. */
const maxLines = 5000

function mark(): void {
  for (const line of all('.chosen-line')) line.classList.remove('chosen-line')
  const [start, end] = range() ?? [1, 0]
  for (let at = start; at <= Math.min(end, start + maxLines); at += 1) {
    const line = document.getElementById(`L${at}`)
    ;(line?.closest('tr') ?? line)?.classList.add('chosen-line')
  }
}
