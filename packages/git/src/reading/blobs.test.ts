import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWork, collect, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { readBlobsOnce } from './blobs.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
})
afterAll(() => fixture.close())

const write = (content: Buffer | string) => work.run(['hash-object', '-w', '--stdin'], content)
const read = (oids: string[], maxBytes = 1_000_000, batchesAhead = 0) =>
  collect(readBlobsOnce(fixture.git, work.repository, oids, { maxBytes, batchesAhead }))

describe('readBlobsOnce', () => {
  it('reads blobs in order, also the same twice', async () => {
    const texts = Array.from({ length: 250 }, (_, number) => `text ${number % 200}`)
    const contents = (await read(texts.map(write))).flat()
    expect(contents.map(String)).toEqual(texts)
  })

  it('has undefined for what is missing, no blob or too large', async () => {
    const [small, large] = [write('small'), write('x'.repeat(101))]
    const commit = work.commit({ a: 'b' })
    const oids = [small, '1'.repeat(40), large, commit, small]
    const contents = (await read(oids, 100)).flat()
    expect(contents.map((content) => content?.toString())).toEqual([
      'small',
      undefined,
      undefined,
      undefined,
      'small',
    ])
  })

  it('reads few large blobs at a time', async () => {
    const oids = Array.from({ length: 6 }, (_, number) => write(`${number}`.repeat(200_000)))
    expect((await read(oids)).map((batch) => batch.length)).toEqual([2, 2, 2])
  })

  it('reads the same in order if it reads ahead', async () => {
    const texts = Array.from({ length: 120 }, (_, number) => `${number}|`.repeat(10_000))
    const oids = texts.map(write)
    for (const batchesAhead of [1, 4, 1000]) {
      const contents = (await read(oids, 1_000_000, batchesAhead)).flat()
      expect(contents.map(String)).toEqual(texts)
    }
  })

  it('reads nothing of nothing', async () => {
    expect(await read([])).toEqual([])
  })
})
