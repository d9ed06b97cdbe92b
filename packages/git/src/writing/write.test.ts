import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCommit } from '../reading/text-object.ts'
import { listRefs, resolveCommit } from '../refs/refs.ts'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { readBlob } from '../trees/tree.ts'
import { commitFiles } from './write.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
})
afterAll(() => fixture.close())

const author = { name: 'Ada', email: 'ada@example.com', date: new Date('2026-01-02T03:04:05Z') }
const file = (path: string, content = 'x', executable = false) => ({
  path,
  content: Buffer.from(content),
  executable,
})

describe('commitFiles', () => {
  it('creates a branch, then adds to it', async () => {
    const { git } = fixture
    const { repository } = work
    const files = [file('README.md', '# Hi\n'), file('bin/run "it"\n', 'run', true)]
    const first = await commitFiles(git, repository, {
      branch: 'main',
      parent: undefined,
      files,
      message: 'Initial commit\n',
      author: { ...author, offsetMinutes: -150 },
      committer: { name: 'Grace', email: 'g@x' },
    })
    const commit = await readCommit(git, repository, first)
    expect(commit).toMatchObject({ parents: [], message: 'Initial commit\n' })
    expect(commit?.author).toEqual({
      name: 'Ada',
      email: 'ada@example.com',
      date: '2026-01-02T00:34:05.000-02:30',
    })
    expect(commit?.committer.name).toBe('Grace')
    const request = { branch: 'main', parent: first, files: [file('b')], message: 'b', author }
    const second = await commitFiles(git, repository, request)
    expect(await resolveCommit(git, repository, 'main')).toBe(second)
    expect((await readBlob(git, repository, second, 'README.md'))?.content.toString()).toBe(
      '# Hi\n',
    )
    expect(await readBlob(git, repository, second, 'bin/run "it"\n')).toMatchObject({
      mode: '100755',
    })
    expect(work.run(['fsck', '--strict'])).toBe('')
    expect(work.run(['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/main')
  })

  it('rejects if the branch has moved or exists, and leaves no ref', async () => {
    const { git } = fixture
    const { repository, commit, run } = await buildWork(fixture)
    const old = commit({ a: '1' })
    commit({ a: '2' })
    for (const parent of [old, undefined]) {
      const request = { branch: 'main', parent, files: [file('b')], message: 'm', author }
      const refused = commitFiles(git, repository, request)
      await expect(refused).rejects.toMatchObject({ code: 'conflict' })
    }
    expect(await listRefs(git, repository, 'heads')).toHaveLength(1)
    expect(run(['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/main')
  })

  it('removes control characters from names', async () => {
    const { git } = fixture
    const { repository, run } = await buildWork(fixture)
    const name = 'Eve <eve@x>\nparent 1234\0 \ud800'
    const oid = await commitFiles(git, repository, {
      branch: 'b',
      parent: undefined,
      files: [file('a')],
      message: 'm\0\ncommit refs/heads/evil\n',
      author: { name, email: 'e<v>e @x\n', date: author.date },
      committer: { name: ' ', email: '' },
    })
    const commit = await readCommit(git, repository, oid)
    expect(commit?.author).toMatchObject({ name: 'Eve eve@x parent 1234 \ufffd', email: 'eve@x' })
    expect(commit?.committer).toMatchObject({ name: 'unknown', email: '' })
    expect(commit?.message).toBe('m\ncommit refs/heads/evil\n')
    expect(run(['fsck', '--strict'])).toBe('')
  })

  it('rejects invalid paths and branches', async () => {
    const request = { branch: 'p', parent: undefined, files: [file('a')], message: 'm', author }
    const { git } = fixture
    for (const path of ['../x', '.git/config', 'a//b', '']) {
      const bad = commitFiles(git, work.repository, { ...request, files: [file(path)] })
      await expect(bad).rejects.toMatchObject({ code: 'invalid' })
    }
    const bad = commitFiles(git, work.repository, { ...request, branch: 'a..b' })
    await expect(bad).rejects.toMatchObject({ code: 'invalid' })
  })
})
