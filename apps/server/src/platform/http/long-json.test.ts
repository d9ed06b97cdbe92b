import { describe, expect, it, vi } from 'vitest'
import { laterText } from './later-text.ts'
import { encodeLongJson, hasLongText, type LongBody, readChunks } from './long-json.ts'

describe('hasLongText', () => {
  const long = 'x'.repeat(1024 * 1024 + 1)

  it('looks at the texts of an object on three levels, and no deeper', () => {
    expect(hasLongText({ id: 1, content: long })).toBe(true)
    expect(hasLongText({ id: 1, notes: [{ body: 'short' }, { body: long }] })).toBe(true)
    expect(hasLongText({ target: { milestone: { description: long } } })).toBe(true)
    const deep = { nested: { deeper: { deepest: { long } } } }
    for (const value of [null, 1, long, [long], { content: 'short' }, deep]) {
      expect(hasLongText(value)).toBe(false)
    }
  })

  it('adds up the texts of a list, on three levels', () => {
    const part = 'x'.repeat(100_000)
    const twelve = <T>(element: T) => Array.from({ length: 12 }, () => element)
    expect(hasLongText(twelve({ description: part }))).toBe(true)
    expect(hasLongText(twelve({ certificate: { text: part } }))).toBe(true)
    expect(hasLongText(twelve({ notes: [{ body: part }, { body: 'short' }] }))).toBe(true)
    expect(hasLongText(twelve({ lines: ['short', part] }))).toBe(true)
    expect(hasLongText(twelve({ a: part }).slice(0, 2))).toBe(false)
    expect(hasLongText(twelve({ a: { b: { c: part } } }))).toBe(true)
    expect(hasLongText(twelve({ a: { b: { c: { d: part } } } }))).toBe(false)
    expect(hasLongText([{ description: long }, null, 'text', 1])).toBe(true)
  })
})

/** A body as JSON. */
async function written(body: LongBody): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of readChunks(await encodeLongJson(body))) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('encodeLongJson', () => {
  it.each([
    ['nothing', {}],
    ['values of every type', { a: null, b: [1, { c: 'd' }], e: false, 'f"': 'g\n"\\' }],
    ['an absent value', { a: undefined, b: 1, c: undefined }],
    ['pairs of surrogates on every border', { a: `x${'😀'.repeat(400_000)}`, b: 1 }],
    ['a text that is escaped', { a: '"'.repeat(600_000) }],
    ['an empty list', []],
    ['a list in a list', [[{ a: 'x'.repeat(400_000) }]]],
    ['a list of long and short texts', [{ a: ['x'.repeat(400_000), 'y', '', undefined] }]],
    ['many short texts', [{ a: Array.from({ length: 100_000 }, (_, at) => `"${at}`) }]],
    ['lists of objects in a list', [{ a: [{ b: '"'.repeat(300_000) }, {}], c: [] }]],
    ['a list', [null, 1, 'a', undefined, { a: '"'.repeat(400_000), b: 1 }, [{ c: 'd' }], {}]],
  ])('writes %s as JSON', async (_, body: LongBody) => {
    expect(JSON.parse(await written(body))).toEqual(JSON.parse(JSON.stringify(body)))
  })

  it.each([
    ['a list', Array.from({ length: 30 }, () => ({ a: 'x'.repeat(100_000) }))],
    ['a text', { a: 'x'.repeat(3_000_000) }],
    ['texts in a list', [{ a: Array.from({ length: 30 }, () => 'x'.repeat(100_000)) }]],
    ['texts of what is listed', [{ a: [{ b: 'x'.repeat(3_000_000) }] }]],
  ])('lets others run between the slices of %s', async (_, body: LongBody) => {
    await new Promise(setImmediate)
    // As if each slice took longer than its share of a turn.
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 11
      return now
    })
    let turns = 0
    let isDone = false
    const count = () => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await encodeLongJson(body)
    isDone = true
    vi.restoreAllMocks()
    expect(turns).toBeGreaterThanOrEqual(9)
  })
})

describe('readChunks', () => {
  const long = 'ä'.repeat(300_000)
  const later = (text: string | null) => laterText(600_000, async () => text)

  it.each([
    ['of an object', { a: later(long), b: 1 }, { a: long, b: 1 }],
    ['of a list', [{ a: later(long) }, { a: 'short' }], [{ a: long }, { a: 'short' }]],
    ['of what is listed', [{ a: { b: later(long) } }], [{ a: { b: long } }]],
    ['of what that embeds', [{ a: { b: { c: later(long) } } }], [{ a: { b: { c: long } } }]],
    ['that is gone', [{ a: later(null) }], [{ a: null }]],
  ])('reads a text %s', async (_, body: LongBody, expected) => {
    expect(hasLongText(body)).toBe(true)
    expect(JSON.parse(await written(body))).toEqual(expected)
  })

  it('reads one text at a time, when it is written', async () => {
    const read: number[] = []
    const body = [0, 1, 2].map((at) => ({
      text: laterText(long.length, async () => {
        read.push(at)
        return long
      }),
    }))
    const chunks = readChunks(await encodeLongJson(body))
    expect(read).toEqual([])
    for await (const chunk of chunks) {
      if (chunk.length > 1000) break
    }
    expect(read).toEqual([0])
  })

  it('is needed for such texts: nothing else leaves them out', () => {
    expect(() => JSON.stringify({ a: later(long) })).toThrow('encodeLongJson')
  })
})
