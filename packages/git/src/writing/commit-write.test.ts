import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readObject } from '../reading/object-reader.ts'
import { readCommit } from '../reading/text-object.ts'
import { createRepository, removeRepository } from '../repository.ts'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { fetchCommit } from '../transport/fetch-commit.ts'
import type { TreeChange } from './tree-changes.ts'
import { createCommit } from './write.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
})
beforeEach(async () => {
  work = await buildWork(fixture)
})
afterAll(() => fixture.close())

const author = { name: 'Ada', email: 'ada@example.com', date: new Date('2026-01-02T03:04:05Z') }

function write(path: string, content: string | Buffer, more = {}): TreeChange {
  return { kind: 'write', path, content: Buffer.from(content), ...more }
}

async function make(changes: TreeChange[], base?: string, more = {}): Promise<string> {
  const parents = base === undefined ? [] : [base]
  const request = { base, parents, changes, message: 'm', author, ...more }
  return createCommit(fixture.git, work.repository, request)
}

function listing(oid: string): string[] {
  return work.run(['ls-tree', '-r', oid]).split('\n').filter(Boolean)
}

describe('createCommit', () => {
  it('creates the same objects as git', async () => {
    const expected = work.commit({ 'a.b': '1', 'a/b': '2', a0: '3', 'a-': '4', 'ü/x': 'ü\0' }, 'm')
    const changes = [
      write('ü/x', 'ü\0'),
      write('a0', '3'),
      write('a/b', '2'),
      write('a.b', '1'),
      write('a-', '4'),
    ]
    const oid = await make(changes)
    const [ours, theirs] = [oid, expected].map((id) => work.run(['rev-parse', `${id}^{tree}`]))
    expect(ours).toBe(theirs)
    expect(work.run(['cat-file', 'commit', oid])).toBe(
      [
        `tree ${ours}`,
        'author Ada <ada@example.com> 1767323045 +0000',
        'committer Ada <ada@example.com> 1767323045 +0000',
        '',
        'm',
      ].join('\n'),
    )
    expect(work.run(['fsck', '--strict', '--no-dangling'])).toBe('')
    expect(work.run(['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/main')
  })

  it('starts no process, and its objects are read without one', async () => {
    const base = await make([write('a/b', 'x')])
    const before = fixture.git.spawnCount
    const oid = await make([write('a/c', 'y')], base)
    expect((await readCommit(fixture.git, work.repository, oid))?.parents).toEqual([base])
    expect(fixture.git.spawnCount).toBe(before)
  })

  it('preserves unchanged names and modes', async () => {
    const blob = work.run(['hash-object', '-w', '--stdin'], 'x')
    const odd = Buffer.concat([
      ...['100664 \xff\xfe', '120000 link', '160000 module'].flatMap((line) => [
        Buffer.from(`${line}\0`, 'latin1'),
        Buffer.from(blob, 'hex'),
      ]),
    ])
    const sorted = work.run(['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'], odd)
    const base = work.run(['commit-tree', '-m', 'odd', sorted])
    const oid = await make([write('zz', 'new')], base)
    const tree = work.run(['rev-parse', `${oid}^{tree}`])
    const content = (await readObject(fixture.git, work.repository, tree))?.content
    for (const line of ['100664 \xff\xfe\0', '120000 link\0', '160000 module\0']) {
      expect(content?.includes(Buffer.from(line, 'latin1'))).toBe(true)
    }
    const linked = await make([write('link', 'elsewhere')], oid)
    expect(work.run(['ls-tree', linked, 'link'])).toMatch(/^120000 /)
    const refused = make([{ kind: 'mode', path: 'link', executable: true }], oid)
    await expect(refused).rejects.toMatchObject({ reason: 'no_file' })
  })

  it('rejects a change that cannot apply, and writes nothing', async () => {
    const base = await make([write('a', '1'), write('dir/b', '2')])
    const objects = () => work.run(['count-objects'])
    const before = objects()
    const refused: [TreeChange, string, string][] = [
      [write('a', 'x', { must: 'be_absent' }), 'exists', 'a'],
      [write('dir', 'x'), 'folder', 'dir'],
      [write('a/b/c', 'x'), 'in_the_way', 'a'],
      [write('c', 'x', { must: 'exist' }), 'missing', 'c'],
      [write('../c', 'x'), 'path', '../c'],
      [{ kind: 'delete', path: 'dir' }, 'folder', 'dir'],
      [{ kind: 'delete', path: '../a' }, 'path', '../a'],
      [{ kind: 'delete', path: 'a\\b' }, 'path', 'a\\b'],
      [{ kind: 'delete', path: '-x' }, 'missing', '-x'],
      [{ kind: 'rename', from: 'a', path: 'dir' }, 'folder', 'dir'],
      [{ kind: 'rename', from: 'a', path: 'dir/b' }, 'exists', 'dir/b'],
      [{ kind: 'submodule', path: 'a', commit: base }, 'no_submodule', 'a'],
    ]
    for (const [change, reason, path] of refused) {
      const made = make([write('first', 'f'), change], base)
      await expect(made).rejects.toMatchObject({ code: 'invalid', reason, path })
    }
    const same = make([write('a', '1')], base, { mustChange: true })
    await expect(same).rejects.toMatchObject({ reason: 'unchanged' })
    expect(objects()).toBe(before)
    expect(listing(await make([write('a', '1')], base))).toEqual(listing(base))
  })

  it('takes away a file with a name that none may be written at, and leaves the others', async () => {
    const base = work.commit({ 'a\\b/c': '1', 'C:\\x': '2', 'kept\\d': '3' }, 'm')
    const [c, x, kept] = ['a\\b/c', 'C:\\x', 'kept\\d'] as const
    const made = await make(
      [
        { kind: 'delete', path: c },
        { kind: 'rename', from: x, path: 'x' },
      ],
      base,
    )
    expect(work.run(['ls-tree', '-r', '-z', '--name-only', made]).split('\0')).toEqual([
      kept,
      'x',
      '',
    ])
    const refused: TreeChange[] = [
      { kind: 'rename', from: x, path: c },
      { kind: 'delete', path: 'a\\b' },
      { kind: 'mode', path: kept, executable: true },
      write(kept, 'new', { must: 'exist' }),
    ]
    for (const change of refused) {
      const reason = change.path === 'a\\b' ? 'folder' : 'path'
      await expect(make([change], base)).rejects.toMatchObject({ code: 'invalid', reason })
    }
  })

  it('rejects an invalid id, a base that is not a commit, and a missing repository', async () => {
    const base = await make([write('a', '1')])
    for (const bad of ['-x', '--all', 'main', '', 'a'.repeat(40)]) {
      await expect(make([], bad)).rejects.toMatchObject({ name: 'GitError' })
    }
    const change: TreeChange = { kind: 'submodule', path: 'a', commit: '-x' }
    await expect(make([change], base)).rejects.toMatchObject({ code: 'invalid' })
    await removeRepository(fixture.git, work.repository)
    await expect(make([write('b', '1')])).rejects.toMatchObject({ code: 'not_found' })
  })

  it('rejects a damaged base tree', async () => {
    const broken = Buffer.concat([
      Buffer.from('100644 a\0'),
      Buffer.alloc(20, 1),
      Buffer.from('1006'),
    ])
    const tree = work.run(['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'], broken)
    const base = work.run(
      ['hash-object', '-w', '-t', 'commit', '--literally', '--stdin'],
      `tree ${tree}\n\nm`,
    )
    await expect(make([write('b', 'x')], base)).rejects.toMatchObject({ code: 'corrupt' })
  })

  it('touches an existing object, and leaves no partial files', async () => {
    await make([write('a', 'kept')])
    const blob = work.run(['hash-object', '--stdin'], 'kept')
    const folder = join(work.repository.path, 'objects', blob.slice(0, 2))
    const file = join(folder, blob.slice(2))
    expect(inflateSync(readFileSync(file)).toString()).toBe('blob 4\0kept')
    expect(statSync(file).mode & 0o777).toBe(0o444)
    utimesSync(file, 1000, 1000)
    await Promise.all(Array.from({ length: 10 }, () => make([write('b', 'kept')])))
    expect(statSync(file).mtimeMs).toBeGreaterThan(1_000_000_000)
    const left = readdirSync(join(work.repository.path, 'objects'), { recursive: true })
    expect(left.filter((name) => String(name).includes('tmp'))).toEqual([])
  })
})

describe('fetchCommit', () => {
  it('fetches a commit with its history, and no ref', async () => {
    const first = work.commit({ a: '1' })
    const second = work.commit({ a: '2' })
    const path = join(fixture.folder, 'a "copy": -x.git')
    const copy = await createRepository(fixture.git, path, { defaultBranch: 'main' })
    await fetchCommit(fixture.git, copy, work.repository, second)
    expect((await readCommit(fixture.git, copy, second))?.parents).toEqual([first])
    expect((await readCommit(fixture.git, copy, first))?.title).toBe('change')
    expect(readdirSync(join(path, 'refs', 'heads'))).toEqual([])
    expect(readdirSync(path)).not.toContain('FETCH_HEAD')
    await fetchCommit(fixture.git, copy, work.repository, second)
  })

  it('rejects invalid ids, and ids that the source lacks', async () => {
    work.commit({ a: '1' })
    const target = (await buildWork(fixture)).repository
    for (const oid of ['-x', '--upload-pack=x', 'main', '']) {
      const refused = fetchCommit(fixture.git, target, work.repository, oid)
      await expect(refused).rejects.toMatchObject({ code: 'invalid' })
    }
    const missing = fetchCommit(fixture.git, target, work.repository, 'a'.repeat(40))
    await expect(missing).rejects.toMatchObject({ code: 'not_found' })
  })
})
