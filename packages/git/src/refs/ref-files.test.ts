import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildWork,
  type Fixture,
  openFixture,
  seededRandom,
  type Work,
} from '../testing/fixture.ts'
import { readRefFiles } from './ref-files.ts'
import { listRefs } from './refs.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

const names = ['main', 'a', 'a-b', 'x/y', 'x/z', 'é', '𝒳', '\u{f8ff}', 'Z', 'deep/er/still']

/** Git's own list, in the shape of `listRefs`. */
function listRefsWithGit(work: Work, kind: 'heads' | 'tags') {
  const format = '--format=%(refname) %(objectname) %(*objectname)'
  const text = work.run(['for-each-ref', format, `refs/${kind}`])
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [ref = '', oid, peeled] = line.split(' ')
      const name = ref.slice(`refs/${kind}/`.length)
      return peeled ? { name, oid, peeled } : { name, oid }
    })
}

describe('readRefFiles', () => {
  it('finds the same refs as git, loose and packed, after random changes', async () => {
    const work = await buildWork(fixture)
    const random = seededRandom(7)
    const oids = [1, 2, 3].map((number) => work.commit({ file: String(number) }, 'commit'))
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
    const steps = [
      () => work.run(['update-ref', `refs/heads/${pick(names)}`, pick(oids)]),
      () => work.run(['update-ref', `refs/tags/${pick(names)}`, pick(oids)]),
      () => work.run(['tag', '-f', '-a', '-m', 'tag', pick(names), pick(oids)]),
      () => work.run(['update-ref', '-d', `refs/heads/${pick(names)}`]),
      () => work.run(['update-ref', '-d', `refs/tags/${pick(names)}`]),
      () => work.run(['pack-refs', random() < 0.5 ? '--all' : '--no-prune']),
    ]
    for (let round = 0; round < 60; round += 1) {
      pick(steps)()
      expect(await readRefFiles(work.repository.path)).toBeDefined()
      for (const kind of ['heads', 'tags'] as const) {
        expect(await listRefs(fixture.git, work.repository, kind)).toEqual(
          listRefsWithGit(work, kind),
        )
      }
    }
  })

  it('leaves symbolic and broken refs to git', async () => {
    const work = await buildWork(fixture)
    const oid = work.commit({ file: '1' }, 'first')
    work.run(['symbolic-ref', 'refs/heads/alias', 'refs/heads/main'])
    expect(await readRefFiles(work.repository.path)).toBeUndefined()
    expect(await listRefs(fixture.git, work.repository, 'heads')).toEqual([
      { name: 'alias', oid },
      { name: 'main', oid },
    ])
    rmSync(join(work.repository.path, 'refs/heads/alias'))
    writeFileSync(join(work.repository.path, 'refs/heads/broken'), 'nonsense')
    expect(await listRefs(fixture.git, work.repository, 'heads')).toEqual([{ name: 'main', oid }])
  })

  it('does not read a file that git is writing as a branch', async () => {
    const work = await buildWork(fixture)
    work.commit({ file: '1' }, 'first')
    writeFileSync(join(work.repository.path, 'refs/heads/new.lock'), '')
    const found = await readRefFiles(work.repository.path)
    expect(found?.refs.map(({ ref }) => ref)).toEqual(['refs/heads/main'])
  })
})
