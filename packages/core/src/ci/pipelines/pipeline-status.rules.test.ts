import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PipelineState, pipelineStates } from '../../code/commits/pipeline-states.ts'
import {
  composeStatus,
  isFinished,
  meanCoverage,
  type PipelinePart,
  pipelineLifecycle,
  runningSeconds,
} from './pipeline-status.rules.ts'

function parts(...states: (PipelineState | `${PipelineState}?`)[]): PipelinePart[] {
  return states.map((state) => ({
    status: state.replace('?', '') as PipelineState,
    allowFailure: state.endsWith('?'),
  }))
}

const part = fc.record({
  status: fc.constantFrom(...pipelineStates),
  allowFailure: fc.boolean(),
})

describe('composeStatus', () => {
  it.each([
    [[], 'skipped'],
    [['skipped'], 'skipped'],
    [['skipped', 'manual?'], 'skipped'],
    [['skipped', 'failed?'], 'success'],
    [['success', 'success'], 'success'],
    [['success', 'skipped'], 'success'],
    [['success', 'failed?', 'manual?'], 'success'],
    [['created', 'created'], 'created'],
    [['preparing'], 'preparing'],
    [['success', 'skipped', 'canceled'], 'canceled'],
    [['canceled'], 'canceled'],
    [['canceled', 'failed'], 'failed'],
    [['created', 'skipped', 'pending'], 'pending'],
    [['pending'], 'pending'],
    [['success', 'pending'], 'running'],
    [['failed', 'running'], 'running'],
    [['running', 'manual'], 'running'],
    [['success', 'manual'], 'manual'],
    [['failed', 'manual', 'scheduled'], 'manual'],
    [['success', 'scheduled'], 'scheduled'],
    [['success', 'preparing'], 'preparing'],
    [['success', 'created'], 'running'],
    [['success', 'failed'], 'failed'],
    [['failed'], 'failed'],
  ] as const)('%j: %s', (states, expected) => {
    expect(composeStatus(parts(...states))).toBe(expected)
  })

  it('depends neither on the order nor on the number of parts per state', () => {
    fc.assert(
      fc.property(fc.array(part), fc.array(fc.nat()), (list, order) => {
        const doubled = [...list, ...list.filter((_, index) => (order[index] ?? 0) % 2 === 1)]
        const shuffled = doubled.toSorted(
          (a, b) =>
            a.status.localeCompare(b.status) || Number(b.allowFailure) - Number(a.allowFailure),
        )
        expect(composeStatus(shuffled)).toBe(composeStatus(list))
      }),
    )
  })

  it('is finished exactly when every part is, and equals the state of a single part', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), (list) => {
        const status = composeStatus(list)
        const waits = list.some(
          (one) => !isFinished(one.status) && !(one.status === 'manual' && one.allowFailure),
        )
        expect(isFinished(status)).toBe(!waits)
      }),
    )
    for (const status of pipelineStates) {
      expect(composeStatus([{ status, allowFailure: false }])).toBe(status)
    }
  })

  it('never succeeds with a failure that is not an allowed one', () => {
    fc.assert(
      fc.property(fc.array(part), (list) => {
        const status = composeStatus([...list, { status: 'failed', allowFailure: false }])
        expect(['success', 'skipped', 'canceled', 'created', 'pending']).not.toContain(status)
      }),
    )
  })
})

describe('runningSeconds', () => {
  const ran = (startedAt: number | null, finishedAt: number | null) => ({ startedAt, finishedAt })

  it('counts concurrent jobs once, and no waiting time', () => {
    expect(runningSeconds([], 0)).toBeNull()
    expect(runningSeconds([ran(null, 5000)], 9000)).toBeNull()
    expect(runningSeconds([ran(0, 4000), ran(2000, 6000)], 9000)).toBe(6)
    expect(runningSeconds([ran(0, 10_000), ran(2000, 3000)], 9000)).toBe(10)
    expect(runningSeconds([ran(7000, 8999), ran(0, 1000)], 9000)).toBe(2)
    expect(runningSeconds([ran(0, null)], 9000)).toBe(9)
  })

  it('is between the longest time and the sum', () => {
    const time = fc.tuple(fc.nat(100_000), fc.nat(100_000))
    fc.assert(
      fc.property(fc.array(time, { minLength: 1 }), (times) => {
        const list = times.map(([from, length]) => ran(from, from + length))
        const seconds = runningSeconds(list, 0) ?? -1
        const lengths = times.map(([, length]) => length / 1000)
        expect(seconds).toBeGreaterThanOrEqual(Math.floor(Math.max(...lengths)))
        expect(seconds).toBeLessThanOrEqual(lengths.reduce((sum, length) => sum + length, 0))
      }),
    )
  })
})

describe('pipelineLifecycle', () => {
  const job = (status: PipelineState, startedAt: number | null, finishedAt: number | null) => ({
    status,
    allowFailure: false,
    startedAt,
    finishedAt,
  })

  it('starts with the first running part and ends with the last', () => {
    const waiting = pipelineLifecycle(
      { startedAt: null, finishedAt: null },
      [job('pending', null, null)],
      1000,
    )
    expect(waiting).toEqual({
      status: 'pending',
      startedAt: null,
      finishedAt: null,
      duration: null,
    })
    const running = pipelineLifecycle(waiting, [job('running', 2000, null)], 2000)
    expect(running).toEqual({
      status: 'running',
      startedAt: 2000,
      finishedAt: null,
      duration: null,
    })
    const over = pipelineLifecycle(running, [job('success', 2000, 5000)], 5000)
    expect(over).toEqual({ status: 'success', startedAt: 2000, finishedAt: 5000, duration: 3 })
  })

  it('runs again when a part is added', () => {
    const over = { startedAt: 2000, finishedAt: 5000 }
    const again = pipelineLifecycle(
      over,
      [job('success', 2000, 5000), job('running', 6000, null)],
      6000,
    )
    expect(again).toMatchObject({ status: 'running', startedAt: 2000, finishedAt: null })
  })
})

describe('meanCoverage', () => {
  it.each([
    [[], null],
    [[null], null],
    [[30], '30.0'],
    [[null, 0], '0.0'],
    [[10, 20.5], '15.25'],
    [[1, 1, 2], '1.33'],
  ])('of %j is %s', (values, expected) => {
    expect(meanCoverage(values.map((coverage) => ({ coverage })))).toBe(expected)
  })
})
