import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildWork, collect, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { type FollowedFile, followFile, listFollowedCommits } from './followed-file.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
})
beforeEach(async () => {
  work = await buildWork(fixture)
})
afterAll(() => fixture.close())

const text = (change: string) => `1\n2\n3\n4\n5\n6\n7\n8\n${change}\n`

function move(from: string, to: string, content: string, message: string): string {
  return work.commit({ [from]: undefined, [to]: content }, message)
}

async function titles(path: string, more: Partial<FollowedFile> = {}, skip = 0, limit = 100) {
  const file = { tip: work.run(['rev-parse', 'HEAD']), path, ...more }
  const found = await listFollowedCommits(fixture.git, work.repository, file, { skip, limit })
  return found.map(({ title }) => title)
}

describe('listFollowedCommits', () => {
  it('lists the commits of a file under all of its paths', async () => {
    work.commit({ a: text('1'), other: text('x') }, 'Add')
    work.commit({ a: text('2') }, 'Edit a')
    move('a', 'dir/b', text('3'), 'Move to b')
    work.commit({ other: text('y') }, 'Other')
    work.commit({ 'dir/b': text('4') }, 'Edit b')
    move('dir/b', 'c', text('4'), 'Move to c')
    expect(await titles('c')).toEqual(['Move to c', 'Edit b', 'Move to b', 'Edit a', 'Add'])
    expect(await titles('other')).toEqual(['Other', 'Add'])
  })

  it('has the same pages, wherever they begin', async () => {
    work.commit({ a: text('1') }, '1')
    work.commit({ a: text('2') }, '2')
    move('a', 'b', text('2'), '3')
    move('b', 'c', text('2'), '4')
    work.commit({ c: text('3') }, '5')
    const all = ['5', '4', '3', '2', '1']
    for (let skip = 0; skip <= 6; skip += 1) {
      for (let limit = 1; limit <= 6; limit += 1) {
        const page = await titles('c', {}, skip, limit)
        expect([skip, limit, page]).toEqual([skip, limit, all.slice(skip, skip + limit)])
      }
    }
  })

  it('follows a file that was moved away and back', async () => {
    work.commit({ a: text('1') }, 'Add')
    move('a', 'b', text('1'), 'Away')
    work.commit({ b: text('2') }, 'Edit')
    move('b', 'a', text('2'), 'Back')
    expect(await titles('a')).toEqual(['Back', 'Edit', 'Away', 'Add'])
  })

  it('does not follow copies, nor files that differ', async () => {
    work.commit({ a: text('1'), b: 'short' }, 'Add')
    work.commit({ copy: text('1') }, 'Copy')
    work.commit({ b: undefined, c: 'another' }, 'Replace')
    expect(await titles('copy')).toEqual(['Copy'])
    expect(await titles('c')).toEqual(['Replace'])
    const isSame = () => true
    expect(await titles('c', { isSame })).toEqual(['Replace', 'Add'])
    work.commit({ c: undefined, d: 'other', copy: undefined }, 'More')
    expect(await titles('d', { isSame })).toEqual(['More'])
  })

  it('starts no process for what it has followed before', async () => {
    work.commit({ a: text('1') }, 'Add')
    move('a', 'b', text('1'), 'Move')
    expect(await titles('b')).toEqual(['Move', 'Add'])
    const before = fixture.git.spawnCount
    expect(await titles('b')).toEqual(['Move', 'Add'])
    expect(fixture.git.spawnCount).toBe(before)
  })
})

describe('followFile', () => {
  it('follows twenty moves', async () => {
    work.commit({ f0: text('1') }, 'Add')
    for (let at = 1; at <= 25; at += 1) move(`f${at - 1}`, `f${at}`, text('1'), `Move ${at}`)
    const tip = work.run(['rev-parse', 'HEAD'])
    const parts = await collect(followFile(fixture.git, work.repository, { tip, path: 'f25' }))
    expect(parts.map(({ path }) => path)).toEqual(
      Array.from({ length: 21 }, (_, moves) => `f${25 - moves}`),
    )
  })
})
