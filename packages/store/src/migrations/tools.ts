import { type ColumnDefinitionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'

type Refine = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

interface Column {
  type: 'text' | 'integer' | 'bigint' | RawBuilder<unknown>
  refine: Refine
}

export type Columns = Record<string, Column>

/** What the files of this migration create tables with; both dialects get the same schema. */
export interface Tools {
  /** `primaryKey` only where it is not an `id`. */
  table(name: string, columns: Columns, primaryKey?: string[]): Promise<void>
  unique(table: string, ...columns: string[]): Promise<void>
  /** Unique among the rows with this value. */
  uniqueWhere(table: string, columns: string[], column: string, value: string): Promise<void>
  index(table: string, ...columns: string[]): Promise<void>
  /**
   * An index of the few rows with this value, by id. An index of all rows by such a column would be
   * taken by SQLite, which knows no frequencies, also for the value that nearly all rows have, and
   * the order be lost: a page of active users by name took 478 µs with one and 16 µs without.
   */
  few(table: string, column: string, value: string | number): Promise<void>
  /** A number that is never used again. */
  id(): Column
  /** A number that nobody has to count up to: ids of others, instants, sizes. */
  long(initial?: number): Column
  longOrNull(): Column
  /** Counts, levels and flags. */
  int(initial?: number): Column
  intOrNull(): Column
  text(initial?: string): Column
  textOrNull(): Column
  /** A row that cannot live without the one it names. */
  owner(table: string): Column
  ownerOrNull(table: string): Column
  /** A row that outlives the one it names. */
  mentionOrNull(table: string): Column
}

type TableTool = 'table' | 'unique' | 'uniqueWhere' | 'index' | 'few'

export function createTools(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Tools {
  return { ...tableTools(db), ...columnTools(dialect) }
}

function tableTools(db: Kysely<unknown>): Pick<Tools, TableTool> {
  const named = (table: string, columns: string[], end: string) =>
    db.schema
      .createIndex(`${table}_${columns.join('_')}_${end}`)
      .on(table)
      .columns(columns)
  return {
    async table(name, columns, primaryKey) {
      let creation = db.schema.createTable(name)
      for (const [column, { type, refine }] of Object.entries(columns)) {
        creation = creation.addColumn(column, type, refine)
      }
      if (primaryKey !== undefined) {
        creation = creation.addPrimaryKeyConstraint(`${name}_pk`, primaryKey as never[])
      }
      await creation.execute()
    },
    unique: (table, ...columns) => named(table, columns, 'key').unique().execute(),
    uniqueWhere: (table, columns, column, value) =>
      named(table, columns, `${value}_key`).unique().where(sql.ref(column), '=', value).execute(),
    index: (table, ...columns) => named(table, columns, 'index').execute(),
    few: (table, column, value) =>
      db.schema
        .createIndex(`${table}_${column}_${value}_index`)
        .on(table)
        .column('id')
        .where(sql.ref(column), '=', value)
        .execute(),
  }
}

function columnTools(dialect: 'sqlite' | 'postgres'): Omit<Tools, TableTool> {
  // Binary order, which is SQLite's own.
  const textType = dialect === 'sqlite' ? 'text' : sql`text collate "C"`
  const required: Refine = (column) => column.notNull()
  const optional: Refine = (column) => column
  const starting =
    (initial: string | number | undefined): Refine =>
    (column) =>
      initial === undefined ? column.notNull() : column.notNull().defaultTo(initial)
  return {
    id: () =>
      dialect === 'sqlite'
        ? { type: 'integer', refine: (column) => column.primaryKey().autoIncrement() }
        : {
            type: 'bigint',
            refine: (column) => column.generatedByDefaultAsIdentity().primaryKey(),
          },
    long: (initial) => ({ type: 'bigint', refine: starting(initial) }),
    longOrNull: () => ({ type: 'bigint', refine: optional }),
    int: (initial) => ({ type: 'integer', refine: starting(initial) }),
    intOrNull: () => ({ type: 'integer', refine: optional }),
    text: (initial) => ({ type: textType, refine: starting(initial) }),
    textOrNull: () => ({ type: textType, refine: optional }),
    owner: (table) => ({
      type: 'bigint',
      refine: (column) => required(column).references(`${table}.id`).onDelete('cascade'),
    }),
    ownerOrNull: (table) => ({
      type: 'bigint',
      refine: (column) => column.references(`${table}.id`).onDelete('cascade'),
    }),
    mentionOrNull: (table) => ({
      type: 'bigint',
      refine: (column) => column.references(`${table}.id`).onDelete('set null'),
    }),
  }
}
