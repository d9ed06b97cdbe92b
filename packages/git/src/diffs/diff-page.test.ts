import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, runGit, type Work } from '../testing/fixture.ts'
import { emptyTreeOid } from './diff.ts'
import { type DiffPageOptions, diffPage } from './diff-page.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  work = await buildWork(fixture)
})

const page = (from: string, to: string, options: Partial<DiffPageOptions> = {}) =>
  diffPage(fixture.git, work.repository, from, to, { skip: 0, limit: 20, ...options })

const files = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${100 + index}`, `${index}\n`]))

describe('diffPage', () => {
  it('pages through all files with their diffs, and counts them', async () => {
    const oid = work.commit(files(45))
    const seen: string[] = []
    for (let skip = 0; skip < 45; skip += 20) {
      const { entries, total } = await page(emptyTreeOid, oid, { skip })
      expect(total).toBe(45)
      seen.push(...entries.map(({ newPath }) => newPath))
      for (const { newPath, diff, collapsed } of entries) {
        expect([diff, collapsed]).toEqual([
          `--- /dev/null\n+++ b/${newPath}\n@@ -0,0 +1 @@\n+${Number(newPath.slice(1)) - 100}\n`,
          false,
        ])
      }
    }
    expect(seen).toEqual(Object.keys(files(45)))
    expect(await page(emptyTreeOid, oid, { skip: 45 })).toEqual({ entries: [], total: 45 })
  })

  it('includes renames and deletions on every page', async () => {
    const text = Array.from({ length: 30 }, (_, index) => `line ${index}\n`).join('')
    const from = work.commit({ a: text, gone: 'x\n', z: 'z\n' })
    const to = work.commit({ a: undefined, gone: undefined, 'm\t"q"': `${text}more\n`, z: 'Z\n' })
    const paths = []
    for (const skip of [0, 1, 2]) {
      const { entries, total } = await page(from, to, { skip, limit: 1 })
      expect([entries.length, total]).toEqual([1, 3])
      paths.push(entries[0])
    }
    expect(paths).toMatchObject([
      { oldPath: 'gone', deletedFile: true, diff: expect.stringContaining('-x') },
      {
        oldPath: 'a',
        newPath: 'm\t"q"',
        renamedFile: true,
        diff: expect.stringContaining('+more'),
      },
      { newPath: 'z', diff: expect.stringContaining('+Z') },
    ])
  })

  it('accepts names that are not UTF-8, and names like options', async () => {
    const blob = work.run(['hash-object', '-w', '--stdin'], 'x\n')
    const names = ['-a', 'b', '\xe4', '\xe5', '\xe6z'].map((name) => Buffer.from(name, 'latin1'))
    const lines = names.flatMap((name) => [
      Buffer.from(`100644 blob ${blob}\t`),
      name,
      Buffer.of(0),
    ])
    const args = [`--git-dir=${work.repository.path}`, 'mktree', '-z']
    const tree = runGit(args, Buffer.concat(lines))
    for (const [skip, name] of ['-a', 'b', '\ufffd', '\ufffd', '\ufffdz'].entries()) {
      const { entries, total } = await page(emptyTreeOid, tree, { skip, limit: 1 })
      expect([total, entries.length]).toEqual([5, 1])
      expect(entries[0]).toMatchObject({ newPath: name, diff: expect.stringContaining('+x') })
    }
  })

  it('applies the limits to each page', async () => {
    const oid = work.commit({ ...files(10), f100: 'x'.repeat(5000) })
    const { entries } = await page(emptyTreeOid, oid, { maxFileBytes: 100, maxTotalBytes: 200 })
    expect(entries[0]).toMatchObject({ tooLarge: true, collapsed: false, diff: '' })
    expect(entries[1]).toMatchObject({ tooLarge: false, collapsed: false })
    expect(entries[9]).toMatchObject({ tooLarge: false, collapsed: true, diff: '' })
    const next = await page(emptyTreeOid, oid, { maxTotalBytes: 200, skip: 9 })
    expect(next.entries[0]).toMatchObject({ collapsed: false, diff: expect.stringContaining('+9') })
  })

  it('rejects diffs that cannot be listed', async () => {
    const oid = work.commit(files(30))
    const listed = page(emptyTreeOid, oid, { maxListBytes: 500 })
    await expect(listed).rejects.toMatchObject({ code: 'output_limit' })
    await expect(page(emptyTreeOid, oid, { timeoutMs: 0.5 })).rejects.toMatchObject({
      code: 'timeout',
    })
    await expect(page('--output=/tmp/x', oid)).rejects.toMatchObject({ code: 'invalid' })
    await expect(page(emptyTreeOid, 'f'.repeat(40))).rejects.toMatchObject({ code: 'not_found' })
  })
})
