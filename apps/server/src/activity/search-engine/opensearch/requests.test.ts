import { describe, expect, it } from 'vitest'
import { projectFilter } from './candidate-query.ts'
import { bulkBodies } from './entries.ts'

describe('bulkBodies', () => {
  it('splits writes into requests of 4 MiB', () => {
    const writes = Array.from({ length: 10 }, (_, index) => ({
      id: `file-${index}`,
      content: { text: '\u0001'.repeat(200_000) },
    }))
    const large = { id: 'large', content: { text: 'x'.repeat(5 * 1024 * 1024) } }
    const bodies = [...bulkBodies([...writes, large, { id: 'gone', content: null }], 7)]
    expect(bodies.map((body) => body.split('\n').length)).toEqual([7, 7, 7, 3, 3, 2])
    const mebibytes = bodies.map((body) => Buffer.byteLength(body) / 1024 ** 2)
    expect(mebibytes.every((size, index) => size <= 4 || index === 4)).toBe(true)
    expect(bodies[5]).toBe('{"delete":{"_id":"gone","version":7,"version_type":"external_gte"}}\n')
  })
})

describe('projectFilter', () => {
  it('names projects in conditions of 65,536', () => {
    const ids = Array.from({ length: 70_000 }, (_, index) => index)
    const sizes = (filter: object) =>
      [...JSON.stringify(filter).matchAll(/\[(\d[\d,]*)?\]/g)].map(
        ([, list]) => list?.split(',').length ?? 0,
      )
    expect(sizes(projectFilter(ids))).toEqual([65_536, 4464])
    expect(sizes(projectFilter([]))).toEqual([0])
  })
})
