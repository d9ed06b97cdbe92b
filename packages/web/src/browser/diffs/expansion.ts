import { all, announce, element, scriptButton } from '../dom.ts'

/** Lines that one press shows. */
const step = 20

interface Gap {
  /** The row that stands for the lines that are left out. */
  row: HTMLTableRowElement
  /** The first line of the gap, and the first one behind it, in the new file. */
  from: number
  to: number
  /** What to add to the number of a line for that in the old file. */
  shift: number
}

/** Adds buttons that show the lines between the parts of a diff. Of files that are there after it. */
export function addExpansion(file: HTMLElement): void {
  const link = file.querySelector<HTMLAnchorElement>(':scope > header .end a[href*="/blob/"]')
  const table = file.querySelector<HTMLTableElement>('table.diff:not(.parallel)')
  if (link === null || table === null || file.querySelector('.change.removed') !== null) return
  let text: Promise<string[] | undefined> | undefined
  const lines = () => {
    text ??= readLines(rawAddress(link))
    return text
  }
  for (const row of all<HTMLTableRowElement>('tr.hunk', table)) {
    const gap = gapAt(row)
    if (gap === undefined) continue
    const button = scriptButton('Show lines above', () => expand(gap, lines, button), {
      class: 'quiet',
    })
    row.cells[0]?.append(' ', button)
  }
}

/** The address of the file in the API, from that of its page: `/group/app/-/blob/<ref>/<path>`. */
function rawAddress({ pathname }: HTMLAnchorElement): string {
  const [project = '', rest = ''] = pathname.slice(1).split('/-/blob/').map(decodeURIComponent)
  const end = rest.indexOf('/')
  const file = encodeURIComponent(rest.slice(end + 1))
  const id = encodeURIComponent(project)
  return `/api/v4/projects/${id}/repository/files/${file}/raw?ref=${encodeURIComponent(rest.slice(0, end))}`
}

async function readLines(href: string): Promise<string[] | undefined> {
  try {
    const response = await fetch(href)
    if (!response.ok) return undefined
    return (await response.text()).split('\n')
  } catch {
    return undefined
  }
}

function numbersOf(row: Element | null): [number, number] | undefined {
  const cells = row === null ? [] : all('td.number', row)
  const [old, next] = cells.map((cell) => Number(cell.textContent))
  return old && next ? [old, next] : undefined
}

/** The lines that are left out above a part; undefined if there are none, or it can't be told. */
function gapAt(row: HTMLTableRowElement): Gap | undefined {
  const first = numbersOf(siblingWithNumbers(row, 'nextElementSibling'))
  if (first === undefined) return undefined
  const before = numbersOf(siblingWithNumbers(row, 'previousElementSibling'))
  const isFirst = row.previousElementSibling === null
  if (!isFirst && before === undefined) return undefined
  const [old, to] = first
  const from = (before?.[1] ?? 0) + 1
  return from < to ? { row, from, to, shift: old - to } : undefined
}

/** The next line that both files have, which is the first one beside a part. */
function siblingWithNumbers(
  row: Element,
  direction: 'nextElementSibling' | 'previousElementSibling',
): Element | null {
  let next = row[direction]
  while (next?.matches('.below') === true) next = next[direction]
  return next?.matches('.context') === true ? next : null
}

async function expand(
  gap: Gap,
  lines: () => Promise<string[] | undefined>,
  button: HTMLButtonElement,
): Promise<void> {
  const text = await lines()
  if (text === undefined) {
    announce('The file could not be loaded')
    return
  }
  const from = Math.max(gap.from, gap.to - step)
  const rows: HTMLElement[] = []
  for (let line = from; line < gap.to; line += 1) {
    rows.push(contextRow(line + gap.shift, line, text[line - 1] ?? ''))
  }
  gap.row.after(...rows)
  gap.to = from
  if (gap.from < gap.to) return
  button.remove()
  gap.row.hidden = true
}

function contextRow(old: number, line: number, text: string): HTMLElement {
  const cell = (kind: string, content: string) => element('td', { class: kind }, content)
  return element(
    'tr',
    { class: 'context' },
    cell('number', String(old)),
    cell('number', String(line)),
    cell('sign', ''),
    cell('text', text.endsWith('\r') ? text.slice(0, -1) : text),
  )
}
