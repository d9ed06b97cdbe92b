import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveCommit } from '../refs/refs.ts'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { newObject, storeObjects } from '../writing/loose-objects.ts'
import { type Scratch, withScratch } from '../writing/scratch-objects.ts'
import { sweepRepositories } from './sweep.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

const day = 86_400_000

function age(path: string, ageMs: number): void {
  const then = (Date.now() - ageMs) / 1000
  utimesSync(path, then, then)
}

/** Creates a file, or a folder with a file, both last modified `ageMs` ago. */
function put(path: string, ageMs: number, isFolder = false): string {
  const file = isFolder ? join(path, 'inside') : path
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, 'x')
  for (const each of new Set([file, path])) age(each, ageMs)
  return path
}

const sweep = () => sweepRepositories(fixture.git, fixture.folder, { before: Date.now() - day })

function leftovers({ repository: { path } }: Work, ageMs: number): string[] {
  const name = ageMs.toString(16).padStart(12, '0')
  return [
    put(`${path}.${name}.new`, ageMs, true),
    put(`${path}.${name}.old`, ageMs, true),
    put(join(path, 'objects', `tmp_objdir-incoming-${name}`), ageMs, true),
    put(join(path, 'objects', `incoming-${name}`), ageMs, true),
    put(join(path, 'objects', 'pack', `tmp_pack_${name}`), ageMs),
    put(join(path, 'objects', 'pack', `.tmp-${name}-pack-x.pack`), ageMs),
    put(join(path, 'objects', 'info', 'commit-graphs', `c${name}.lock`), ageMs),
    put(join(path, `packed-refs-${name}.lock`), ageMs),
    put(join(path, 'refs', 'heads', 'a', `b${name}.lock`), ageMs),
  ]
}

describe('sweepRepositories', () => {
  it('removes old repositories that belong to nothing', async () => {
    const [orphan, kept] = [await buildWork(fixture), await buildWork(fixture)]
    const { path } = orphan.repository
    const isOrphan = async (candidate: string) => candidate === path
    const options = { before: Date.now() - day, isOrphan }
    await sweepRepositories(fixture.git, fixture.folder, options)
    expect(existsSync(path)).toBe(true)
    age(path, 2 * day)
    await sweepRepositories(fixture.git, fixture.folder, options)
    expect([existsSync(path), existsSync(kept.repository.path)]).toEqual([false, true])
  })

  it('removes old leftovers, and keeps those that may be in use', async () => {
    const work = await buildWork(fixture)
    const oid = work.commit({ file: 'x' })
    const old = leftovers(work, 2 * day)
    const young = leftovers(work, day / 2)
    expect(await sweep()).toBe(old.length)
    expect(old.filter((path) => existsSync(path))).toEqual([])
    expect(young.filter((path) => !existsSync(path))).toEqual([])
    expect(await resolveCommit(fixture.git, work.repository, 'main')).toBe(oid)
    expect(work.run(['fsck', '--strict'])).toBe('')
  })

  it('keeps the quarantine of a push whose pack still grows', async () => {
    const { repository } = await buildWork(fixture)
    const folder = join(repository.path, 'objects', 'tmp_objdir-scratch-long')
    const pack = put(join(folder, 'pack', 'tmp_pack_a'), day / 2)
    put(folder, 2 * day, true)
    expect(await sweep()).toBe(0)
    age(pack, 2 * day)
    age(dirname(pack), 2 * day)
    expect(await sweep()).toBe(1)
    expect(existsSync(folder)).toBe(false)
  })

  it('removes what a killed process leaves of its temporary object folder', async () => {
    const { repository, commit } = await buildWork(fixture)
    commit({ file: 'x' })
    const started = Promise.withResolvers<Scratch>()
    // Never ends, as if the process was killed.
    void withScratch(repository, (scratch) => {
      started.resolve(scratch)
      return new Promise(() => {})
    })
    const { path } = await started.promise
    const object = newObject('blob', Buffer.from('merged\n'))
    await storeObjects(path, [object])
    expect(await sweep()).toBe(0)
    age(path, 2 * day)
    // A living process has just written an object.
    expect(await sweep()).toBe(0)
    const folder = join(path, object.oid.slice(0, 2))
    age(join(folder, object.oid.slice(2)), 2 * day)
    age(folder, 2 * day)
    expect(await sweep()).toBe(1)
    expect(existsSync(path)).toBe(false)
  })

  it('removes old temporary refs', async () => {
    const work = await buildWork(fixture)
    const oid = work.commit({ file: 'x' })
    for (const name of ['old', 'young']) work.run(['update-ref', `refs/stithy/${name}`, oid])
    age(join(work.repository.path, 'refs', 'stithy', 'old'), 2 * day)
    expect(await sweep()).toBe(1)
    expect(work.run(['for-each-ref', '--format=%(refname)'])).toBe(
      'refs/heads/main\nrefs/stithy/young',
    )
  })

  it('keeps files with similar names', async () => {
    const work = await buildWork(fixture)
    const kept = [
      put(join(fixture.folder, 'nested', 'other.new'), 9 * day),
      put(join(fixture.folder, 'nested', 'thing.0123456789ab.old'), 9 * day, true),
      put(join(work.repository.path, 'description.txt'), 9 * day),
    ]
    expect(await sweep()).toBe(0)
    expect(kept.filter((path) => !existsSync(path))).toEqual([])
  })

  it('continues when one repository cannot be swept, and stops when aborted', async () => {
    const broken = await buildWork(fixture)
    const [first] = leftovers(await buildWork(fixture), 2 * day)
    put(join(broken.repository.path, 'refs', 'stithy', 'no..ref'), 2 * day)
    const paths: string[] = []
    const options = {
      before: Date.now() - day,
      onError: (_: unknown, path: string) => paths.push(path),
    }
    const stopped = { ...options, signal: AbortSignal.abort() }
    expect(await sweepRepositories(fixture.git, fixture.folder, stopped)).toBe(0)
    expect(await sweepRepositories(fixture.git, fixture.folder, options)).toBe(9)
    expect(paths).toEqual([broken.repository.path])
    expect(existsSync(first ?? '')).toBe(false)
  })
})
