import { cellOf, type Json } from './render.ts'

/** What people look for first, in this order; other columns follow as far as there is room. */
const preferred = [
  'id',
  'iid',
  'short_id',
  'username',
  'path_with_namespace',
  'full_path',
  'name',
  'title',
  'action_name',
  'target_title',
  'state',
  'status',
  'visibility',
  'access_level',
  'default',
  'protected',
  'ref',
  'type',
  'mode',
  'path',
  'color',
  'author',
  'author_name',
  'key',
  'value',
  'created_at',
]

/** Names of one thing: of each group only the first that is there gets a column. */
const synonyms = [
  ['short_id', 'id'],
  ['path_with_namespace', 'full_path', 'path', 'name'],
  ['author', 'author_name'],
]

const mostColumns = 8
const enoughColumns = 4
const narrowest = 8
const gap = 2

/** A list of objects as a table no wider than `width`; cells are cut where they have to be. */
export async function renderTable(rows: readonly Json[], width: number): Promise<string> {
  // Its names hang on the default export wherever CommonJS is bundled.
  const { getBorderCharacters, table } = (await import('table')).default
  const names = chooseColumns(rows)
  const cells = [names, ...rows.map((row) => names.map((name) => cellOf(row[name])))]
  const widths = fitWidths(
    names.map((_, column) => Math.max(...cells.map((row) => displayWidth(row[column] ?? '')))),
    width,
  )
  const cut = cells.map((row) => widths.map((most, column) => truncate(row[column] ?? '', most)))
  const text = table(cut, {
    border: getBorderCharacters('void'),
    columnDefault: { paddingLeft: 0, paddingRight: gap },
    drawHorizontalLine: () => false,
  })
  return text.replace(/ +$/gm, '').trimEnd()
}

/** The columns worth a place: well-known names first, the rest only where those are few. */
export function chooseColumns(rows: readonly Json[]): string[] {
  const filled = new Set<string>()
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) if (cellOf(value) !== '') filled.add(name)
  }
  for (const group of synonyms) {
    const [, ...others] = group.filter((name) => filled.has(name))
    for (const name of others) filled.delete(name)
  }
  const known = preferred.filter((name) => filled.delete(name))
  const rest = [...filled].filter((name) => !/(?:^|_)(?:url|html|token|message)$/.test(name))
  const wanted = Math.max(known.length, enoughColumns)
  const names = [...known, ...rest].slice(0, Math.min(wanted, mostColumns))
  return names.length === 0 ? [...Object.keys(rows[0] ?? {})].slice(0, 1) : names
}

/** Takes room from the widest columns, and drops the last ones where that is not enough. */
export function fitWidths(natural: readonly number[], width: number): number[] {
  const widths = [...natural]
  const total = () => widths.reduce((sum, each) => sum + each + gap, -gap)
  while (total() > width) {
    const widest = Math.max(...widths)
    if (widest > narrowest) widths[widths.lastIndexOf(widest)] = widest - 1
    else if (widths.length > 1) widths.pop()
    else break
  }
  return widths
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u
const weightless = /\p{M}|\p{Cf}/u

function charWidth(char: string): number {
  if (char < '\u0300') return 1
  if (weightless.test(char)) return 0
  return wide.test(char) ? 2 : 1
}

/** How many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  let width = 0
  for (const char of text) width += charWidth(char)
  return width
}

function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  let left = width - 1
  for (const char of text) {
    left -= charWidth(char)
    if (left < 0) break
    kept += char
  }
  return `${kept}…`
}
