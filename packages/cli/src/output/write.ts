import type { CliIo, Output } from '../cli-io.ts'
import { toJson } from './clean.ts'
import { cellOf, isObject, renderRecord, type View } from './render.ts'
import { renderTable } from './table.ts'

/** Writes one value for people: a table, a list of fields or a line; nothing for no value. */
export async function writeHumanReadable(io: CliIo, value: unknown): Promise<void> {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return
  io.stdout.write(`${await render(value, viewOf(io))}\n`)
}

/** Files and pipes get everything, with exact timestamps. */
function viewOf({ stdout, now }: CliIo): View {
  const { columns } = stdout
  return columns === undefined
    ? { width: Number.POSITIVE_INFINITY }
    : { width: columns, now: now() }
}

async function render(value: unknown, view: View): Promise<string> {
  if (isObject(value)) return renderRecord(value, view)
  if (!Array.isArray(value)) return cellOf(value, view)
  const rows = value.filter(isObject)
  if (rows.length < value.length) return value.map((item) => cellOf(item, view)).join('\n')
  return renderTable(rows, view)
}

/** Writes one value as JSON; nothing for no value. */
export function writeJson(stdout: Output, value: unknown): void {
  if (value !== undefined) stdout.write(`${toJson(value, 2)}\n`)
}

/** Streams a list as one JSON array while it is being fetched. */
export async function streamJson(stdout: Output, items: AsyncIterable<unknown>): Promise<void> {
  let written = 0
  for await (const item of items) {
    stdout.write(`${written === 0 ? '[' : ','}\n  ${toJson(item, 2).replaceAll('\n', '\n  ')}`)
    written += 1
  }
  stdout.write(written === 0 ? '[]\n' : '\n]\n')
}
