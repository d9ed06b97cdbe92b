import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import {
  findBranch,
  findTag,
  listRefs,
  refsContaining,
  resolveCommit,
  updateRef,
  updateRefs,
  zeroOid,
} from './refs.ts'

let fixture: Fixture
let work: Work
let first: string
let second: string

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  work = await buildWork(fixture)
  first = work.commit({ a: '1' }, 'first')
  second = work.commit({ a: '2' }, 'second')
})

const names = async (kind: 'heads' | 'tags') =>
  (await listRefs(fixture.git, work.repository, kind)).map(({ name }) => name)
const resolve = (rev: string) => resolveCommit(fixture.git, work.repository, rev)

describe('listRefs', () => {
  it('lists branches by name in byte order, and tags with their peeled objects', async () => {
    for (const name of ['zeta', 'é', 'Alpha', 'a/b', 'a-b']) work.run(['branch', name, first])
    work.run(['tag', 'light', first])
    work.run(['tag', '-a', '-m', 'inner', 'inner', second])
    work.run(['tag', '-a', '-m', 'outer', 'outer', 'inner'])
    expect(await names('heads')).toEqual(['Alpha', 'a-b', 'a/b', 'main', 'zeta', 'é'])
    const outer = work.run(['rev-parse', 'outer'])
    const inner = work.run(['rev-parse', 'inner'])
    expect(await listRefs(fixture.git, work.repository, 'tags')).toEqual([
      { name: 'inner', oid: inner, peeled: second },
      { name: 'light', oid: first },
      { name: 'outer', oid: outer, peeled: second },
    ])
    expect(await findTag(fixture.git, work.repository, 'outer')).toMatchObject({ peeled: second })
  })

  it('is empty for a repository without commits', async () => {
    work = await buildWork(fixture)
    expect(await names('heads')).toEqual([])
    expect(await resolve('HEAD')).toBeUndefined()
    expect(await resolve('main')).toBeUndefined()
  })

  it('starts no process while nothing changes', async () => {
    await sleep(150)
    await names('heads')
    const before = fixture.git.spawnCount
    await names('heads')
    await names('tags')
    await findBranch(fixture.git, work.repository, 'main')
    expect(fixture.git.spawnCount).toBe(before)
  })

  it('notices each of many quick changes by another process', async () => {
    for (let round = 0; round < 15; round += 1) {
      work.run(['update-ref', 'refs/heads/deep/er/x', round % 2 ? first : second])
      const found = await findBranch(fixture.git, work.repository, 'deep/er/x')
      expect(found?.oid).toBe(round % 2 ? first : second)
    }
  })

  it('does not cache a snapshot right after a change: the next change may not show', async () => {
    work.run(['update-ref', 'refs/heads/x', first])
    expect((await findBranch(fixture.git, work.repository, 'x'))?.oid).toBe(first)
    // In place, so that the folder's timestamps don't change: like two changes within one clock
    // tick.
    writeFileSync(join(work.repository.path, 'refs/heads/x'), `${second}\n`)
    expect((await findBranch(fixture.git, work.repository, 'x'))?.oid).toBe(second)
  })

  it('shares a process among concurrent callers, and is never stale', async () => {
    await names('heads')
    const before = fixture.git.spawnCount
    const early = Array.from({ length: 20 }, () => names('heads'))
    await sleep(1)
    work.run(['branch', 'late', first])
    const late = Array.from({ length: 20 }, () => names('heads'))
    expect(await Promise.all(late)).toEqual(late.map(() => ['late', 'main']))
    await Promise.all(early)
    expect(fixture.git.spawnCount - before).toBeLessThanOrEqual(4)
  })

  it('notices a nested branch, its packing and its deletion after a pause', async () => {
    await sleep(150)
    expect(await names('heads')).toEqual(['main'])
    work.run(['branch', 'deep/er/x', first])
    await sleep(150)
    expect(await names('heads')).toEqual(['deep/er/x', 'main'])
    work.run(['update-ref', 'refs/heads/deep/er/x', second])
    await sleep(150)
    expect((await findBranch(fixture.git, work.repository, 'deep/er/x'))?.oid).toBe(second)
    work.run(['pack-refs', '--all'])
    await sleep(150)
    expect(await names('heads')).toEqual(['deep/er/x', 'main'])
    work.run(['branch', '-D', 'deep/er/x'])
    await sleep(150)
    expect(await names('heads')).toEqual(['main'])
  })
})

describe('resolveCommit', () => {
  it('prefers a branch, then a tag, then an id', async () => {
    const digits = first.slice(0, 7)
    expect(await resolve(digits)).toBe(first)
    work.run(['tag', digits, second])
    expect(await resolve(digits)).toBe(second)
    work.run(['update-ref', `refs/heads/${digits}`, first])
    expect(await resolve(digits)).toBe(first)
    expect(await resolve(`refs/tags/${digits}`)).toBe(second)
  })

  it('resolves full, short and upper-case ids, annotated tags, HEAD and suffixes', async () => {
    work.run(['tag', '-a', '-m', 'm', 'v1', second])
    const tag = work.run(['rev-parse', 'v1'])
    for (const rev of [
      second,
      second.slice(0, 4),
      second.toUpperCase(),
      'v1',
      tag,
      'HEAD',
      'main',
    ]) {
      expect([rev, await resolve(rev)]).toEqual([rev, second])
    }
    for (const rev of ['HEAD~1', 'main^', 'v1~', `${second.slice(0, 8)}^1`, `${tag}~1`]) {
      expect([rev, await resolve(rev)]).toEqual([rev, first])
    }
  })

  it('resolves nothing else', async () => {
    const tree = work.run(['rev-parse', 'HEAD^{tree}'])
    const others = [tree, tree.slice(0, 8), 'abc', 'f'.repeat(40), 'HEAD~9', 'main:a', ':/first']
    others.push(
      '-x',
      '--all',
      '',
      'main\n',
      'a..b',
      'main@{0}',
      '^',
      '~1',
      'FETCH_HEAD',
      'refs/x y',
    )
    for (const rev of others) expect([rev, await resolve(rev)]).toEqual([rev, undefined])
  })
})

describe('refsContaining', () => {
  it('lists branches before tags, and notices new ones', async () => {
    work.run(['branch', 'old', first])
    work.run(['tag', 'a-tag', second])
    const find = (oid: string, type: 'branch' | 'tag' | 'all') =>
      refsContaining(fixture.git, work.repository, oid, type)
    expect(await find(first, 'all')).toEqual([
      { type: 'branch', name: 'main' },
      { type: 'branch', name: 'old' },
      { type: 'tag', name: 'a-tag' },
    ])
    expect(await find(second, 'branch')).toEqual([{ type: 'branch', name: 'main' }])
    work.run(['branch', 'new', second])
    expect(await find(second, 'branch')).toHaveLength(2)
    await expect(find('f'.repeat(40), 'tag')).rejects.toMatchObject({ name: 'GitError' })
  })
})

describe('updateRef', () => {
  const update = (ref: string, to: string, from?: string) =>
    updateRef(fixture.git, work.repository, ref, to, from)

  it('creates, moves and deletes a branch if its old value matches', async () => {
    await update('refs/heads/x', first, zeroOid)
    expect(await resolve('x')).toBe(first)
    await update('refs/heads/x', second, first)
    expect(await resolve('x')).toBe(second)
    await update('refs/heads/x', zeroOid, second)
    expect(await resolve('x')).toBeUndefined()
  })

  it('rejects with conflict if the ref has moved, exists or conflicts with another name', async () => {
    const refused = { code: 'conflict' }
    await expect(update('refs/heads/main', first, first)).rejects.toMatchObject(refused)
    await expect(update('refs/heads/main', first, zeroOid)).rejects.toMatchObject(refused)
    await expect(update('refs/heads/main/x', first, zeroOid)).rejects.toMatchObject(refused)
    await expect(update('refs/heads/gone', zeroOid, first)).rejects.toMatchObject(refused)
    expect(await resolve('main')).toBe(second)
  })

  it('lets one of two racing writers win', async () => {
    const race = await Promise.allSettled([
      update('refs/heads/race', first, zeroOid),
      update('refs/heads/race', second, zeroOid),
    ])
    expect(race.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('changes all refs or none', async () => {
    const both = updateRefs(fixture.git, work.repository, [
      { ref: 'refs/heads/new', newOid: first },
      { ref: 'refs/heads/main', newOid: first, oldOid: first },
    ])
    await expect(both).rejects.toMatchObject({ code: 'conflict' })
    expect(await resolve('new')).toBeUndefined()
  })

  it.each([
    'main',
    '-x',
    'HEAD',
    'refs/heads/a b',
    'refs/heads/a\ndelete refs/heads/main',
    'refs/heads/a\0',
  ])('refuses the name %j', async (ref) => {
    await expect(update(ref, first)).rejects.toMatchObject({ code: 'invalid' })
  })
})
