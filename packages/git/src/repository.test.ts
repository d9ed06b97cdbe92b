import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runHousekeeping } from './housekeeping/housekeeping.ts'
import { readObject } from './reading/object-reader.ts'
import { resolveCommit } from './refs/refs.ts'
import {
  createRepository,
  readHead,
  removeRepository,
  repositoryExists,
  repositorySize,
  setHead,
} from './repository.ts'
import { buildWork, type Fixture, openFixture, runGit } from './testing/fixture.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

describe('createRepository', () => {
  it('creates a bare repository without hooks, and its parent folders', async () => {
    const path = join(fixture.folder, 'a', 'b', 'new.git')
    const repository = await createRepository(fixture.git, path, { defaultBranch: 'trunk/é' })
    expect(await readHead(repository)).toBe('trunk/é')
    expect(await repositoryExists(repository)).toBe(true)
    expect(readdirSync(path)).not.toContain('hooks')
    expect(readdirSync(dirname(path))).toEqual(['new.git'])
    const config = runGit([`--git-dir=${path}`, 'config', '--list', '--local'])
    expect(config).toContain('receive.fsckobjects=true')
    expect(config).toContain('transfer.hiderefs=refs/keep-around')
    expect(config).toContain('receive.hiderefs=refs/merge-requests')
    expect(config).toContain('receive.fsck.badtimezone=ignore')
    expect(runGit([`--git-dir=${path}`, 'fsck', '--strict'])).toBe('')
  })

  it('rejects a path that exists, and leaves it unchanged', async () => {
    const { repository } = await buildWork(fixture)
    const { git } = fixture
    const again = createRepository(git, repository.path, { defaultBranch: 'other' })
    await expect(again).rejects.toMatchObject({ code: 'conflict' })
    expect(await readHead(repository)).toBe('main')
    const siblings = readdirSync(dirname(repository.path))
    expect(siblings.filter((name) => name.endsWith('.new'))).toEqual([])
  })

  it('rejects an invalid branch name', async () => {
    const path = join(fixture.folder, 'bad.git')
    const bad = createRepository(fixture.git, path, { defaultBranch: '--upload-pack=x' })
    await expect(bad).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('removeRepository', () => {
  it('allows another repository at the same path without a trace of the first', async () => {
    const { git } = fixture
    const { repository, commit, run } = await buildWork(fixture)
    const unread = commit({ file: 'content' })
    const oid = commit({ file: 'more' })
    // An open reader keeps packs open, even deleted ones.
    run(['repack', '-adq'])
    expect(await readObject(git, repository, oid)).toBeDefined()
    await removeRepository(git, repository)
    expect(await repositoryExists(repository)).toBe(false)
    expect(readdirSync(dirname(repository.path)).join()).not.toContain('.old')
    await createRepository(git, repository.path, { defaultBranch: 'main' })
    expect(await readObject(git, repository, oid)).toBeUndefined()
    expect(await readObject(git, repository, unread)).toBeUndefined()
    expect(await readObject(git, repository, 'refs/heads/main')).toBeUndefined()
  })

  it('ignores a missing repository', async () => {
    const path = join(fixture.folder, 'never')
    await expect(removeRepository(fixture.git, { path })).resolves.toBeUndefined()
  })
})

describe('a repository', () => {
  it('changes HEAD, also to an unborn branch', async () => {
    const { repository } = await buildWork(fixture)
    await setHead(fixture.git, repository, 'next')
    expect(readFileSync(join(repository.path, 'HEAD'), 'utf8')).toBe('ref: refs/heads/next\n')
    await expect(setHead(fixture.git, repository, '-x')).rejects.toMatchObject({ code: 'invalid' })
  })

  it('has a size in bytes, which is 0 if it does not exist', async () => {
    const { repository, commit } = await buildWork(fixture)
    const before = await repositorySize(repository)
    commit({ file: Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * index) % 253)) })
    expect(await repositorySize(repository)).toBeGreaterThan(before + 200)
    expect(await repositorySize({ path: '/nowhere' })).toBe(0)
  })

  it('is readable after packing', async () => {
    const { git } = fixture
    const { repository, commit } = await buildWork(fixture)
    const first = commit({ file: '1' })
    const second = commit({ file: '2' })
    await readObject(git, repository, first)
    await runHousekeeping(git, repository)
    const objects = readdirSync(join(repository.path, 'objects'))
    expect(objects.filter((name) => name.length === 2)).toEqual([])
    expect(await readObject(git, repository, second)).toMatchObject({ type: 'commit' })
    expect(await resolveCommit(git, repository, 'main')).toBe(second)
  })

  it('is not found if there is only a folder', async () => {
    const path = join(fixture.folder, 'empty')
    mkdirSync(path)
    await expect(readHead({ path })).rejects.toMatchObject({ code: 'not_found' })
    const reading = readObject(fixture.git, { path }, 'HEAD')
    await expect(reading).rejects.toMatchObject({ code: 'not_found' })
  })
})
