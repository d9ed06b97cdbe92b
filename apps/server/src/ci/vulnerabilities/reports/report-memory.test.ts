import { describe, expect, it } from 'vitest'
import { openReport } from './report-reader.ts'

const tiny = (number: number) => ({ name: 'a', cve: String(number), scanner: { id: 'b' } })

describe('openReport', () => {
  it('returns few vulnerabilities in each text, however many there are in some bytes', () => {
    const reader = openReport('sast')
    const findings = Array.from({ length: 5000 }, (_, number) => tiny(number))
    const part = reader.write(Buffer.from(JSON.stringify({ vulnerabilities: findings })))
    const rows = 'rows' in part ? part.rows.map((text) => JSON.parse(text) as unknown[]) : []
    expect(rows.flat()).toHaveLength(5000)
    expect(Math.max(...rows.map((some) => some.length))).toBeLessThanOrEqual(200)
    expect(part).toMatchObject({ count: 5000 })
    expect(reader.end()).toEqual({ solutions: [] })
  })

  const large = 9 * 1024 * 1024
  const finding = (more: string) =>
    `[{"name":"a","cve":"b","scanner":{"id":"c"},"x":${more}}, ${JSON.stringify(tiny(1))}]`

  it.each([
    ['a text', finding(`"${'a'.repeat(large)}"`)],
    ['a text of escapes', finding(`"${'\\n'.repeat(large / 2)}"`)],
    ['a text outside of the list', `{"x":"${'a'.repeat(large)}","vulnerabilities":[]}`],
    ['a number', finding('9'.repeat(large))],
    ['a list', finding(`[0${',0'.repeat(large / 8)}]`)],
    ['many keys', finding(`{"k":0${',"k":0'.repeat(large / 32)}}`)],
    ['lists in lists', finding('['.repeat(200) + ']'.repeat(200))],
    ['lists in lists that are open', finding('['.repeat(large))],
    ['objects in objects outside of the list', '{"x":'.repeat(200)],
  ])('refuses what would take much memory: %s', (_, report) => {
    const bytes = Buffer.from(report)
    const reader = openReport('sast')
    const step = 256 * 1024
    let part = reader.write(bytes.subarray(0, step))
    let start = step
    for (; start < bytes.length && !('problem' in part); start += step) {
      part = reader.write(bytes.subarray(start, start + step))
    }
    expect(part).toEqual({ problem: expect.stringContaining('a value that is too large') })
  })

  it('takes much that it does not hold', () => {
    const rest = Array.from({ length: 30_000 }, (_, number) => ({ name: `package ${number}` }))
    const report = { dependency_files: [{ dependencies: rest }], vulnerabilities: [tiny(1)] }
    const reader = openReport('dependency_scanning')
    const bytes = Buffer.from(JSON.stringify(report))
    expect(reader.write(bytes)).toMatchObject({ count: 1 })
    expect(reader.end()).toEqual({ solutions: [] })
  })
})
