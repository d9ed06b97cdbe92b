import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createReceiveResponse } from './receive-response.ts'

function packet(data: string | Buffer): Buffer {
  const bytes = Buffer.from(data as string)
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes])
}

const flush = Buffer.from('0000')
const report = Buffer.concat([
  packet('unpack ok\n'),
  packet('ok refs/heads/a\n'),
  packet('ng refs/heads/b non-fast-forward\n'),
  packet('ok refs/tags/v1\n'),
  flush,
])
const progress = packet(`\x02Resolving deltas\n`)
const alive = packet('\x01')
const whole = Buffer.concat([
  progress,
  alive,
  packet(Buffer.concat([Buffer.from([1]), report])),
  flush,
])

describe('createReceiveResponse', () => {
  it('passes progress on and holds the report, however the response is split', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: whole.length - 1 }), { maxLength: 8 })
    fc.assert(
      fc.property(cuts, (offsets) => {
        const answer = createReceiveResponse({ sideBand: true })
        const edges = [0, ...offsets.toSorted((a, b) => a - b), whole.length]
        const passed = edges.slice(1).map((end, i) => answer.push(whole.subarray(edges[i], end)))
        expect(Buffer.concat(passed)).toEqual(Buffer.concat([progress, alive]))
        expect(Buffer.concat([...passed, answer.held()])).toEqual(whole)
        expect(answer.movedRefs()).toEqual(new Set(['refs/heads/a', 'refs/tags/v1']))
      }),
    )
  })

  it('holds everything without side bands', () => {
    const answer = createReceiveResponse({ sideBand: false })
    expect(answer.push(report)).toHaveLength(0)
    expect(answer.held()).toEqual(report)
    expect(answer.movedRefs()).toEqual(new Set(['refs/heads/a', 'refs/tags/v1']))
  })

  it('returns no moved refs while the report is incomplete', () => {
    const answer = createReceiveResponse({ sideBand: false })
    answer.push(report.subarray(0, report.length - 4))
    expect(answer.movedRefs()).toBeUndefined()
  })

  it('returns data that is not in packets', () => {
    const answer = createReceiveResponse({ sideBand: true })
    answer.push(Buffer.from('zzzz nonsense'))
    expect(answer.held().toString()).toBe('zzzz nonsense')
    expect(answer.movedRefs()).toBeUndefined()
  })
})
