import { readFileSync, writeFileSync } from 'node:fs'
import { codeLimitTable } from '../apps/server/src/platform/config/code-limits.ts'
import type { Limit } from '../apps/server/src/platform/config/limit.ts'
import { requestLimitTable } from '../apps/server/src/platform/config/request-limits.ts'
import { listSettingLimits } from '../apps/server/src/platform/config/setting-limits.ts'
import { markdownTable } from './markdown-table.ts'

const file = new URL('operation.md', import.meta.url)

const [start, end] = [
  '<!-- Generated from the code by `pnpm docs:limits`. -->',
  '<!-- End of what is generated. -->',
]

/** Renders docs/operation.md as it must be in the repository: with its table of limits. */
export function operationPage(page: string): string {
  const [before, rest = ''] = page.split(start, 2)
  const [, after] = rest.split(end, 2)
  return `${before}${start}\n\n${limitTables()}\n${end}${after}`
}

function limitTables(): string {
  const tables = [
    ['### By settings', settingTable()],
    ['### Of every request', limitTable(requestLimitTable)],
    ['### Of reading code', limitTable(codeLimitTable)],
  ]
  return tables.map(([title, table]) => `${title}\n\n${table}`).join('\n')
}

function settingTable(): string {
  const rows = listSettingLimits().map(({ setting, value, unit, meaning, outcome }) => [
    meaning,
    `${amount(value, unit)}, \`${setting}\``,
    outcome,
  ])
  return markdownTable(['what', 'by default', 'beyond it'], rows)
}

function limitTable(table: Readonly<Record<string, Readonly<Record<string, Limit>>>>): string {
  const rows = Object.entries(table).flatMap(([group, limits]) =>
    Object.values(limits).map(({ value, unit, meaning, outcome }) => [
      titleOf(group),
      meaning,
      amount(value, unit),
      outcome,
    ]),
  )
  return markdownTable(['of', 'what', 'limit', 'beyond it'], rows)
}

/** `sign-in` of `signIn`. */
function titleOf(group: string): string {
  return group.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** `8 MiB` of 8388608 bytes. */
function amount(value: number, unit: string): string {
  if (unit === 'mebibytes') return `${value} MiB`
  if (unit === 'milliseconds') return `${value / 1000} s`
  if (unit === 'seconds') return `${value} s`
  if (unit !== 'bytes') return `${value.toLocaleString('en')} ${unit}`
  const [size, name] = value >= 2 ** 20 ? [value / 2 ** 20, 'MiB'] : [value / 1024, 'KiB']
  return `${size.toLocaleString('en')} ${name}`
}

if (import.meta.main) writeFileSync(file, operationPage(readFileSync(file, 'utf8')))
