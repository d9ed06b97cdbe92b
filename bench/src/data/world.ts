import type { NewRow, Schema } from '@stithy/store'
import type Sqlite from 'better-sqlite3'
import type { Size } from './sizes.ts'

export type Visibility = 'private' | 'internal' | 'public'

export interface GroupNote {
  id: number
  /** Ids from the top-level group down to this one. */
  line: readonly number[]
  fullPath: string
  fullName: string
  visibility: Visibility
}

export interface UserNote {
  id: number
  namespaceId: number
  username: string
  name: string
}

export interface ProjectNote {
  id: number
  fullPath: string
  visibility: Visibility
  repositoryPath: string
}

/** What the areas share: the open database and a summary of what the earlier ones created. */
export interface World {
  size: Size
  /** The data folder. */
  folder: string
  db: Sqlite.Database
  users: UserNote[]
  groups: GroupNote[]
  projects: ProjectNote[]
  /** Ids of the labels and milestones of each project. */
  planning: Map<number, { labels: readonly number[]; milestones: readonly number[] }>
}

/** One area of the data, such as users; later areas may use what earlier ones created. */
export interface Area {
  name: string
  fill: (world: World) => void | Promise<void>
}

/** Timestamps count up from here: 2025-01-01. The clock is not read, so every run is the same. */
export const epoch = Date.UTC(2025, 0, 1)
export const minute = 60_000
export const day = 24 * 60 * minute

/** A prepared insert; all rows must have the columns of the first one. */
export function inserter<Table extends keyof Schema & string>(
  db: Sqlite.Database,
  table: Table,
): (row: NewRow<Table>) => void {
  let columns: string[] | undefined
  let statement: Sqlite.Statement | undefined
  return (row) => {
    columns ??= Object.keys(row)
    statement ??= db.prepare(insertText(table, columns))
    const values = row as Record<string, unknown>
    statement.run(columns.map((column) => values[column]))
  }
}

function insertText(table: string, columns: readonly string[]): string {
  const names = columns.map((column) => `"${column}"`).join(', ')
  return `insert into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`
}
