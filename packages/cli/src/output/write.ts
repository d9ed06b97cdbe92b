import type { Output } from '../cli-io.ts'
import { toJson } from './clean.ts'
import { cellOf, isObject, renderRecord } from './render.ts'
import { renderTable } from './table.ts'

/** Writes one value as people read it: a table, a list of fields or a line; nothing for no value. */
export async function writeForPeople(stdout: Output, value: unknown): Promise<void> {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return
  stdout.write(`${await render(stdout, value)}\n`)
}

async function render(stdout: Output, value: unknown): Promise<string> {
  if (isObject(value)) return renderRecord(value)
  if (!Array.isArray(value)) return cellOf(value)
  const rows = value.filter(isObject)
  if (rows.length < value.length) return value.map(cellOf).join('\n')
  // Into a file or a pipe everything goes whole.
  return renderTable(rows, stdout.columns ?? Number.POSITIVE_INFINITY)
}

/** Writes one value as JSON; nothing for no value. */
export function writeJson(stdout: Output, value: unknown): void {
  if (value !== undefined) stdout.write(`${toJson(value, 2)}\n`)
}

/** Writes a list as one JSON array while it is still being fetched. */
export async function streamJson(stdout: Output, items: AsyncIterable<unknown>): Promise<void> {
  let written = 0
  for await (const item of items) {
    stdout.write(`${written === 0 ? '[' : ','}\n  ${toJson(item, 2).replaceAll('\n', '\n  ')}`)
    written += 1
  }
  stdout.write(written === 0 ? '[]\n' : '\n]\n')
}
