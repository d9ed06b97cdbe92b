import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { type CommitSearch, grepCommits } from './grep-commits.ts'

let fixture: Fixture
let work: Work
let tip: string

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
  for (const message of [
    'Needle one',
    'hay\n\nwith a needle\nand more',
    'ÄRGER',
    'a\\Eb.*',
    'Ada',
  ]) {
    tip = work.commit({}, message)
  }
})
afterAll(() => fixture.close())

const find = (search: Partial<CommitSearch>) =>
  grepCommits(fixture.git, work.repository, {
    commit: tip,
    text: 'needle',
    ignoreCase: true,
    limit: 100,
    ...search,
  })

const titles = async (search: Partial<CommitSearch>) =>
  (await find(search)).map(({ title }) => title)

describe('grepCommits', () => {
  it('finds commits by a text of their messages, newest first', async () => {
    expect(await titles({})).toEqual(['hay', 'Needle one'])
    expect(await titles({ ignoreCase: false })).toEqual(['hay'])
    expect(await titles({ limit: 1 })).toEqual(['hay'])
    expect(await titles({ limit: 1, skip: 1 })).toEqual(['Needle one'])
    expect(await titles({ skip: 2 })).toEqual([])
    expect(await titles({ skip: 1e12 })).toEqual([])
    expect(await titles({ limit: 0 })).toEqual([])
    expect(await titles({ text: 'ärger' })).toEqual(['ÄRGER'])
    const [commit] = await find({})
    expect(commit?.message).toBe('hay\n\nwith a needle\nand more\n')
  })

  it('takes any text as it is, and searches no names', async () => {
    expect(await titles({ text: 'a\\Eb.*' })).toEqual(['a\\Eb.*'])
    expect(await titles({ text: 'n\\E.*' })).toEqual([])
    expect(await titles({ text: 'N.*e' })).toEqual([])
    expect(await titles({ text: '--all' })).toEqual([])
    expect(await titles({ text: 'one\nmore' })).toEqual([])
    expect(await titles({ text: '' })).toEqual([])
    expect(await titles({ text: 'Ada' })).toEqual(['Ada'])
    expect(await titles({ text: 'grace@example.com' })).toEqual([])
    await expect(find({ text: 'x'.repeat(16 * 1024 + 1) })).rejects.toMatchObject({
      code: 'invalid',
    })
  })

  it('fails within its limits, when it is aborted, and without the commit', async () => {
    await expect(find({ timeoutMs: 0.5 })).rejects.toMatchObject({ code: 'timeout' })
    await expect(find({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
    await expect(find({ commit: 'e'.repeat(40) })).rejects.toMatchObject({ code: 'not_found' })
    await expect(find({ commit: 'main' })).rejects.toMatchObject({ code: 'invalid' })
    const other = await buildWork(fixture)
    const first = other.commit({}, 'first')
    const second = other.commit({}, 'second')
    const { path } = other.repository
    rmSync(join(path, 'objects', first.slice(0, 2), first.slice(2)))
    const search = { commit: second, text: 'first', ignoreCase: true, limit: 1 }
    await expect(grepCommits(fixture.git, other.repository, search)).rejects.toMatchObject({
      code: 'not_found',
    })
    fixture.git.forget(work.repository.path)
    await expect.poll(() => fixture.git.processCount).toBe(0)
  })
})
