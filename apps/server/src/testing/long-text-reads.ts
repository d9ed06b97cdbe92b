import { vi } from 'vitest'
import type { TestServer } from './test-server.ts'

/**
 * Records how many long texts each query of a server reads, until mocks are restored.
 * @param length from which a text is long, in characters
 * @returns a number for each query that reads any
 */
export function recordLongTexts(server: TestServer, length: number): number[] {
  const read: number[] = []
  const count = <Rows>(rows: Rows): Rows => {
    const texts = [rows].flat().flatMap((row) => Object.values((row ?? {}) as object))
    const found = texts.filter((text) => typeof text === 'string' && text.length >= length)
    if (found.length > 0) read.push(found.length)
    return rows
  }
  for (const db of [server.app.db, server.app.db.background]) {
    if (db === undefined) continue
    for (const name of ['all', 'first'] as const) {
      const query = db[name].bind(db) as (...args: unknown[]) => Promise<unknown>
      const spy = vi.spyOn(db, name) as unknown as { mockImplementation: (by: unknown) => void }
      spy.mockImplementation(async (...args: unknown[]) => count(await query(...args)))
    }
  }
  return read
}
