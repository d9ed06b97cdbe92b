import type Sqlite from 'better-sqlite3'
import type { Shape } from '../queries/shape-cache.ts'

type Statement = Sqlite.Statement<unknown[], unknown>

/**
 * The maximum number of statements that a connection keeps. Each takes 10 to 50 KiB, and to prepare
 * it takes longer than to run most of them. One that is dropped takes memory until the next major
 * garbage collection, so a maximum below the number in use takes more memory, not less.
 */
export const maxStatements = 512

/**
 * Prepares the statement of a shape for a connection, and keeps it while it is used: of too many, one
 * goes that was not used since the last time that one was looked for (the CLOCK algorithm).
 * @param slot the place in `shape.prepared` that belongs to the connection
 */
export function prepareStatements(
  connection: Sqlite.Database,
  slot: number,
): (shape: Shape<Statement>) => Statement {
  const kept: Shape<Statement>[] = []
  const used = new Set<Shape<Statement>>()

  function dropOne(): void {
    for (let shape = kept.shift(); shape !== undefined; shape = kept.shift()) {
      if (!used.delete(shape)) {
        shape.prepared[slot] = undefined
        return
      }
      kept.push(shape)
    }
  }

  return (shape) => {
    const known = shape.prepared[slot]
    if (known !== undefined) {
      used.add(shape)
      return known
    }
    if (kept.length >= maxStatements) dropOne()
    const statement = connection.prepare<unknown[], unknown>(shape.sql)
    shape.prepared[slot] = statement
    kept.push(shape)
    return statement
  }
}
