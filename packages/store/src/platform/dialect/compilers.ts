import {
  DummyDriver,
  type FunctionNode,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { DialectName } from '../queries/queries.ts'
import type { Schema } from '../schema/schema.ts'

/**
 * A value as it is written into the text, if it is a constant of the program (`'group'`, `0`). A
 * shape that receives a changing value as a constant then differs in its text, which the check of
 * shapes detects; partial indexes and PostgreSQL's type inference see the constant too.
 */
function plainConstant(value: unknown): string | number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  return typeof value === 'string' && /^[\w .:-]{0,64}$/.test(value) ? value : undefined
}

const sqliteNames: Readonly<Record<string, string>> = { greatest: 'max', least: 'min' }

/**
 * Writes each placeholder as `+?`. Measured on SQLite 3.54: a prepared statement with `= ?` next to
 * a join or an order, or with `limit ?`, is parsed again at every execution, since the planner
 * looks at bound values; the unary plus, which changes no value, hides them. A page of 20 rows went
 * from 50 to 24.5 µs, a look-up by token from 9.7 to 3.4 µs.
 */
class StoreSqliteCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }

  protected override appendValue(value: unknown): void {
    const constant = plainConstant(value)
    if (constant === undefined) super.appendValue(value)
    else this.appendImmediateValue(constant)
  }

  protected override visitFunction(node: FunctionNode): void {
    const [first, second] = node.arguments
    if (node.func === 'in_list' && first !== undefined && second !== undefined) {
      this.visitNode(first)
      this.append(' in (select value from json_each(')
      this.visitNode(second)
      this.append('))')
    } else if (node.func === 'matches_pattern' && first !== undefined && second !== undefined) {
      this.visitNode(first)
      this.append(' like ')
      this.visitNode(second)
      this.append(" escape '\\'")
    } else if (node.func === 'unindexed' && first !== undefined) {
      this.append('+')
      this.visitNode(first)
    } else {
      super.visitFunction({ ...node, func: sqliteNames[node.func] ?? node.func })
    }
  }
}

class StorePostgresCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    const constant = plainConstant(value)
    if (constant === undefined) super.appendValue(value)
    else this.appendImmediateValue(constant)
  }

  protected override visitFunction(node: FunctionNode): void {
    const [first, second] = node.arguments
    if (node.func === 'in_list' && first !== undefined && second !== undefined) {
      this.visitNode(first)
      this.append(' = any(')
      this.visitNode(second)
      this.append(')')
    } else if (node.func === 'matches_pattern' && first !== undefined && second !== undefined) {
      this.visitNode(first)
      this.append(' like ')
      this.visitNode(second)
    } else if (node.func === 'unindexed' && first !== undefined) {
      this.visitNode(first)
    } else {
      super.visitFunction(node)
    }
  }
}

/** A Kysely instance that builds and compiles; the store executes. */
export function createBuilder(dialect: DialectName): Kysely<Schema> {
  const sqlite = dialect === 'sqlite'
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => (sqlite ? new SqliteAdapter() : new PostgresAdapter()),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) =>
        sqlite ? new SqliteIntrospector(db) : new PostgresIntrospector(db),
      createQueryCompiler: () => (sqlite ? new StoreSqliteCompiler() : new StorePostgresCompiler()),
    },
  })
}
