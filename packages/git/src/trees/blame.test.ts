import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBlameParser } from '../parsing/blame-parser.ts'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { type BlameLimits, blameFile } from './blame.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
})
afterAll(() => fixture.close())

const generous: BlameLimits = { timeoutMs: 60_000, maxOutputBytes: 1e9, maxCommitBytes: 1e9 }

const blame = (commit: string, path: string, limits: Partial<BlameLimits> = {}) =>
  blameFile(fixture.git, work.repository, { commit, path }, { ...generous, ...limits })

const blamed = async (commit: string, path: string) =>
  (await blame(commit, path)).map((range) => [range.commit.oid, range.lines])

describe('blameFile', () => {
  it('groups adjacent lines of one commit, in the order of the file', async () => {
    const first = work.commit({ a: 'one\ntwo\nthree\nfour\n' })
    const second = work.commit({ a: 'one\n2\nthree\nfour\nfive' }, 'Second\n\nBody')
    expect(await blamed(second, 'a')).toEqual([
      [first, ['one']],
      [second, ['2']],
      [first, ['three', 'four']],
      [second, ['five']],
    ])
    expect(await blamed(first, 'a')).toEqual([[first, ['one', 'two', 'three', 'four']]])
    const [, range] = await blame(second, 'a')
    expect(range?.commit).toMatchObject({ message: 'Second\n\nBody\n', parents: [first] })
  })

  it('follows renames', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`)
    const first = work.commit({ 'old name': `${lines.join('\n')}\n` })
    const second = work.commit({ 'old name': undefined, 'new/name': `${lines.join('\n')}\nmore\n` })
    expect(await blamed(second, 'new/name')).toEqual([
      [first, lines],
      [second, ['more']],
    ])
  })

  it('accepts empty files, lines that look like headers, and binary files', async () => {
    const line = `${'a'.repeat(40)} 1 1 1`
    const files = { empty: '', odd: `${line}\n\tauthor x\r\n`, bin: Buffer.from([0xff, 0, 10, 1]) }
    const oid = work.commit({ ...files, '-n': 'dash\n', ':(glob)*': 'glob\n' })
    expect(await blamed(oid, 'empty')).toEqual([])
    expect(await blamed(oid, 'odd')).toEqual([[oid, [line, '\tauthor x\r']]])
    expect(await blamed(oid, 'bin')).toEqual([[oid, ['\ufffd\0', '\x01']]])
    expect(await blamed(oid, '-n')).toEqual([[oid, ['dash']]])
    expect(await blamed(oid, ':(glob)*')).toEqual([[oid, ['glob']]])
  })

  it('starts no process the second time', async () => {
    const oid = work.commit({ warm: 'x\n' })
    await blame(oid, 'warm')
    const before = fixture.git.spawnCount
    await blame(oid, 'warm')
    expect(fixture.git.spawnCount).toBe(before)
  })

  it('accepts full ids only, and rejects a missing path', async () => {
    const oid = work.commit({ a: 'x\n' })
    await expect(blame('--contents=/etc/passwd', 'a')).rejects.toMatchObject({ code: 'invalid' })
    await expect(blame(oid, '')).rejects.toMatchObject({ code: 'invalid' })
    await expect(blame(oid, 'none')).rejects.toMatchObject({ code: 'not_found' })
    await expect(blame('f'.repeat(40), 'a')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is ended by its limits', async () => {
    const oid = work.commit({ big: 'a line of some length\n'.repeat(100_000) })
    const limited = blame(oid, 'big', { maxOutputBytes: 100_000 })
    await expect(limited).rejects.toMatchObject({ code: 'output_limit' })
    await expect(blame(oid, 'big', { timeoutMs: 0.5 })).rejects.toMatchObject({ code: 'timeout' })
    const few = blame(oid, 'big', { maxCommitBytes: 50 })
    await expect(few).rejects.toMatchObject({ code: 'output_limit' })
  })
})

describe('createBlameParser', () => {
  it('reads chunks of any size', () => {
    const oid = 'b'.repeat(40)
    const text = `${oid} 1 1 2\nauthor Ünï\nfilename a\n\tfirst ü\n${oid} 2 2\n\t\n`
    for (const size of [1, 2, 7, 1000]) {
      const parser = createBlameParser()
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size))
      expect(parser.ranges).toEqual([{ oid, lines: ['first ü', ''] }])
    }
  })
})
