import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runIn } from '../git.ts'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { type ArchiveOptions, type ArchiveSizeLimits, archiveSize, openArchive } from './archive.ts'

let fixture: Fixture
let work: Work
let oid: string

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
  oid = work.commit({ 'a.txt': 'a\n', 'dir/b.txt': 'b\n', '-x': 'x\n' })
})
afterAll(() => fixture.close())

const open = (options: Partial<ArchiveOptions> = {}, commit = oid) =>
  openArchive(fixture.git, work.repository, commit, {
    format: 'tar',
    directory: 'top',
    cpuSeconds: 60,
    stallMs: 60_000,
    ...options,
  })

const list = (archive: Buffer, flags: string) =>
  execFileSync('tar', [`t${flags}`], { input: archive })
    .toString()
    .trim()
    .split('\n')

describe('openArchive', () => {
  it.each([
    ['tar', ''],
    ['tar.gz', 'z'],
    ['tar.bz2', 'j'],
  ] as const)('packs all files as %s under one directory', async (format, flag) => {
    const names = list(await buffer(await open({ format })), flag)
    expect(names.toSorted()).toEqual(['top/', 'top/-x', 'top/a.txt', 'top/dir/', 'top/dir/b.txt'])
  })

  it('packs a zip', async () => {
    const archive = await buffer(await open({ format: 'zip' }))
    expect(archive.toString('latin1', 0, 4)).toBe('PK\x03\x04')
    expect(archive.includes('top/dir/b.txt')).toBe(true)
  })

  it('accepts any name for the directory', async () => {
    const names = list(await buffer(await open({ directory: '--output=/tmp/x "ü"' })), '')
    expect(names[0]).toMatch(/^--output=/)
  })

  it('accepts full ids only, and rejects a missing commit', async () => {
    await expect(open({}, '--output=/tmp/x')).rejects.toMatchObject({ code: 'invalid' })
    await expect(open({}, 'main')).rejects.toMatchObject({ code: 'invalid' })
    await expect(open({}, 'f'.repeat(40))).rejects.toMatchObject({ code: 'not_found' })
  })

  it('fails when it exceeds its size limit', async () => {
    const big = work.commit({ big: 'x'.repeat(3_000_000) })
    const stream = await open({ maxOutputBytes: 500_000 }, big)
    await expect(buffer(stream)).rejects.toMatchObject({ code: 'output_limit' })
    await expect(open({ maxOutputBytes: 10 }, big)).rejects.toMatchObject({ code: 'output_limit' })
  })

  it('fails on a timeout', async () => {
    const big = work.commit({ big: 'x'.repeat(30_000_000) })
    const read = async () => {
      const stream = await open({ timeoutMs: 1000 }, big)
      await sleep(1500)
      return buffer(stream)
    }
    await expect(read()).rejects.toMatchObject({ code: 'timeout' })
  })

  it('kills git when the reader stops', async () => {
    const big = work.commit({ big: 'x'.repeat(31_000_000) })
    const controller = new AbortController()
    const stream = await open({ signal: controller.signal }, big)
    const failed = new Promise<Error>((resolve) => stream.once('error', resolve))
    stream.read(1)
    controller.abort()
    stream.resume()
    expect(await failed).toMatchObject({ code: 'aborted' })
  })

  it('fails when the reader stops reading', async () => {
    const big = work.commit({ big: 'x'.repeat(32_000_000) })
    const stream = await open({ stallMs: 50 }, big)
    const failed = new Promise<Error>((resolve) => stream.once('error', resolve))
    stream.read(1)
    expect(await failed).toMatchObject({ code: 'timeout' })
  })

  it('remembers that git exceeded its limits', async () => {
    const big = work.commit({ big: 'x'.repeat(33_000_000) })
    const limits = { maxOutputBytes: 500_000 }
    await expect(buffer(await open(limits, big))).rejects.toMatchObject({ code: 'output_limit' })
    const before = fixture.git.spawnCount
    await expect(open(limits, big)).rejects.toMatchObject({ code: 'output_limit' })
    expect(fixture.git.spawnCount).toBe(before)
  })

  it('names a missing program', async () => {
    const bin = join(fixture.folder, 'bin')
    mkdirSync(bin)
    symlinkSync(execFileSync('which', ['git']).toString().trim(), join(bin, 'git'))
    const args = ['archive', '--format=tar.bz2', oid]
    const packed = runIn(fixture.git, work.repository, args, { env: { PATH: bin } })
    await expect(packed).rejects.toMatchObject({ code: 'missing_program' })
  })
})

describe('archiveSize', () => {
  const measure = (commit: string, limits: Partial<ArchiveSizeLimits> = {}) =>
    archiveSize(fixture.git, work.repository, commit, {
      maxBytes: 1e15,
      maxEntries: 1e15,
      maxOutputBytes: 1e15,
      timeoutMs: 60_000,
      ...limits,
    })

  it('adds up the files and folders and their headers', async () => {
    expect(await measure(oid)).toBe(6 + 4 * 1024)
  })

  it('throws when the limit is exceeded', async () => {
    await expect(measure(oid, { maxBytes: 100 })).rejects.toMatchObject({ code: 'output_limit' })
  })

  it('throws for trees that contain each other many times, once', async () => {
    let tree = work.run(['rev-parse', `${oid}^{tree}`])
    for (let depth = 0; depth < 12; depth += 1) {
      const lines = 'abcdefghij'.split('').map((name) => `040000 tree ${tree}\t${name}\n`)
      tree = work.run(['mktree'], lines.join(''))
    }
    const bomb = work.run(['commit-tree', tree, '-m', 'bomb'])
    const tooMuch = [{ maxBytes: 10_000_000 }, { maxEntries: 10_000 }, { maxOutputBytes: 100_000 }]
    for (const limit of tooMuch) {
      await expect(measure(bomb, limit)).rejects.toMatchObject({ code: 'output_limit' })
    }
    await expect(measure(bomb, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'timeout' })
    const before = fixture.git.spawnCount
    await expect(measure(bomb, { maxEntries: 10_000 })).rejects.toThrow()
    await expect(measure(bomb, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'timeout' })
    expect(fixture.git.spawnCount).toBe(before)
  })
})
