import { cellOf, type Json } from './render.ts'

/** Well-known columns, most important first; other columns follow if there is room. */
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

/** Columns with the same information: only the first existing one of each group is shown. */
const synonyms = [
  ['short_id', 'id'],
  ['path_with_namespace', 'full_path', 'path', 'name'],
  ['author', 'author_name'],
]

const identifiers = ['id', 'iid', 'short_id', 'username', 'path_with_namespace', 'full_path']
const prose = ['name', 'title', 'target_title', 'body', 'note', 'message', 'description', 'value']

const maxColumns = 8
const enoughColumns = 4
const narrowestProse = 12
/** Spaces between two columns. */
export const gap = 2

/** Chooses the columns to show: well-known names first, others only if those are few. */
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
  const names = [...known, ...rest].slice(0, Math.min(wanted, maxColumns))
  return names.length === 0 ? [...Object.keys(rows[0] ?? {})].slice(0, 1) : names
}

export interface Column {
  name: string
  /** Of its widest cell, in terminal columns. */
  width: number
}

/**
 * The first columns that fit completely. Identifiers are always included; prose may be cut to a
 * third of the width, and gets the remaining width.
 */
export function fitColumns(columns: readonly Column[], width: number): Column[] {
  const identifying = identifyingNames(columns)
  const share = Math.max(narrowestProse, Math.floor(width / 3))
  const fitted: Column[] = []
  let room = width + gap
  for (const { name, width: own } of columns) if (identifying.has(name)) room -= own + gap
  let isFull = false
  for (const column of columns) {
    if (identifying.has(column.name)) fitted.push(column)
    if (identifying.has(column.name) || isFull) continue
    const wanted = isProse(column) ? Math.min(column.width, share) : column.width
    const left = isProse(column) && room - gap >= narrowestProse ? room - gap : 0
    const given = wanted + gap <= room ? wanted : left
    isFull = given === 0
    if (isFull) continue
    fitted.push({ ...column, width: given })
    room -= given + gap
  }
  return widenProse(columns, fitted, room)
}

function widenProse(columns: readonly Column[], fitted: readonly Column[], room: number): Column[] {
  const natural = new Map(columns.map(({ name, width }) => [name, width]))
  let left = Math.max(0, room)
  return fitted.map((column) => {
    const more = Math.min(left, (natural.get(column.name) ?? 0) - column.width)
    left -= more
    return { ...column, width: column.width + more }
  })
}

/** The columns that identify a row, which are never cut; if there are none, the first column. */
function identifyingNames(columns: readonly Column[]): Set<string> {
  const names = columns.map(({ name }) => name)
  const known = names.filter((name) => identifiers.includes(name))
  return new Set(known.length > 0 ? known : names.slice(0, 1))
}

function isProse({ name }: Column): boolean {
  return prose.includes(name)
}
