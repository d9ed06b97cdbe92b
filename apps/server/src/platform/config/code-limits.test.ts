import { describe, expect, it } from 'vitest'
import { codeLimitTable, defaultCodeLimits } from './code-limits.ts'
import type { Limit } from './limit.ts'

const rows = Object.entries(codeLimitTable).flatMap(([group, limits]) =>
  Object.entries<Limit>(limits).map(([name, limit]) => ({ group, name, limit })),
)

describe('codeLimitTable', () => {
  it.each(rows)('says what $group.$name limits, and what the caller gets', ({ limit }) => {
    expect(limit.value).toBeGreaterThan(0)
    expect(Number.isSafeInteger(limit.value)).toBe(true)
    expect(limit.meaning).toMatch(/^[A-Z].*\.$/)
    expect(limit.outcome).toMatch(/^[A-Z0-9].*\.$/)
  })

  it('is where the limits have their values from', () => {
    for (const { group, name, limit } of rows) {
      const limits: Record<string, Record<string, number>> = defaultCodeLimits
      expect(limits[group]?.[name]).toBe(limit.value)
    }
  })
})
