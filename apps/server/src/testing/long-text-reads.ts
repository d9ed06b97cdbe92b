import { beforeEach, vi } from 'vitest'
import type { TestServer } from './test-server.ts'

/**
 * Records in each test of the file how many long texts each query of a server reads.
 * @param length from which a text is long, in characters
 * @returns a number for each query of the test that reads any
 */
export function recordLongTexts(server: () => TestServer, length: number): number[] {
  const read: number[] = []
  const count = <Rows>(rows: Rows): Rows => {
    const texts = [rows].flat().flatMap((row) => Object.values((row ?? {}) as object))
    const found = texts.filter((text) => typeof text === 'string' && text.length >= length)
    if (found.length > 0) read.push(found.length)
    return rows
  }
  beforeEach(() => {
    read.length = 0
    const { db } = server().app
    for (const queries of [db, db.background]) {
      if (queries === undefined) continue
      for (const name of ['all', 'first'] as const) {
        const query = queries[name].bind(queries) as (...args: unknown[]) => Promise<unknown>
        const spy = vi.spyOn(queries, name) as unknown as {
          mockImplementation: (by: unknown) => void
        }
        spy.mockImplementation(async (...args: unknown[]) => count(await query(...args)))
      }
    }
    return () => vi.restoreAllMocks()
  })
  return read
}
