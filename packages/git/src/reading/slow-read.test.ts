import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Repository } from '../git.ts'
import { GitError, type GitErrorCode } from '../git-error.ts'
import { type Fixture, openFixture } from '../testing/fixture.ts'
import { readLimits } from './read-limits.ts'
import { readSlowly } from './slow-read.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

let names = 0

function newRepository(): Repository {
  names += 1
  return { path: `/repository-${names}` }
}

/** A read that is ended by hand, and counts its attempts. */
function controlledRead() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const read = { attempts: 0, signal: undefined as AbortSignal | undefined }
  const run = (signal: AbortSignal) => {
    read.attempts += 1
    read.signal = signal
    signal.addEventListener('abort', () => reject(new GitError('aborted', 'aborted')))
    return promise
  }
  return { state: read, run, resolve, reject }
}

describe('readSlowly', () => {
  it('reads once for concurrent callers, and again for later ones', async () => {
    const repository = newRepository()
    const { state, run, resolve } = controlledRead()
    const read = () => readSlowly(fixture.git, repository, { key: 'k', read: run })
    const both = [read(), read()]
    resolve('result')
    expect(await Promise.all(both)).toEqual(['result', 'result'])
    expect(state.attempts).toBe(1)
    expect(await read()).toBe('result')
    expect(state.attempts).toBe(2)
  })

  it.each<GitErrorCode>(['output_limit', 'memory_limit', 'timeout'])(
    'remembers that a read failed with %s, until the repository is forgotten',
    async (code) => {
      const repository = newRepository()
      let attempts = 0
      const read = (key = 'k') =>
        readSlowly(fixture.git, repository, {
          key,
          read: async () => {
            attempts += 1
            throw new GitError(code, 'too much')
          },
        })
      await expect(read()).rejects.toMatchObject({ code, message: 'too much' })
      await expect(read()).rejects.toMatchObject({ code, message: 'too much' })
      expect(attempts).toBe(1)
      await expect(read('another')).rejects.toMatchObject({ code })
      expect(attempts).toBe(2)
      fixture.git.forget(repository.path)
      await expect(read()).rejects.toMatchObject({ code })
      expect(attempts).toBe(3)
    },
  )

  it('tries again after other failures', async () => {
    const repository = newRepository()
    const fail = async () => {
      throw new GitError('failed', 'once')
    }
    const key = 'k'
    await expect(readSlowly(fixture.git, repository, { key, read: fail })).rejects.toThrow('once')
    expect(await readSlowly(fixture.git, repository, { key, read: async () => 'x' })).toBe('x')
  })

  it('runs a few reads of a repository at a time, whatever others do', async () => {
    const [one, other] = [newRepository(), newRepository()]
    const reads = Array.from({ length: readLimits.slowReads + 2 }, controlledRead)
    const start = (repository: Repository, index: number) =>
      readSlowly(fixture.git, repository, {
        key: `k${index}`,
        read: reads[index]?.run ?? (async () => ''),
      })
    const results = reads.map((_, index) => start(one, index))
    expect(await readSlowly(fixture.git, other, { key: 'k', read: async () => 'free' })).toBe(
      'free',
    )
    const attempts = () => reads.reduce((sum, { state }) => sum + state.attempts, 0)
    expect(attempts()).toBe(readLimits.slowReads)
    reads[0]?.resolve('first')
    await results[0]
    await expect.poll(attempts).toBe(readLimits.slowReads + 1)
    for (const { resolve } of reads) resolve('rest')
    expect(await Promise.all(results)).toHaveLength(reads.length)
    expect(attempts()).toBe(reads.length)
  })

  it('is aborted when the last caller has gone, and starts anew for the next one', async () => {
    const repository = newRepository()
    const { state, run } = controlledRead()
    const controllers = [new AbortController(), new AbortController()]
    const results = controllers.map(({ signal }) =>
      readSlowly(fixture.git, repository, { key: 'k', read: run, signal }),
    )
    await expect.poll(() => state.attempts).toBe(1)
    controllers[0]?.abort()
    await expect(results[0]).rejects.toMatchObject({ code: 'aborted' })
    expect(state.signal?.aborted).toBe(false)
    controllers[1]?.abort()
    await expect(results[1]).rejects.toMatchObject({ code: 'aborted' })
    expect(state.signal?.aborted).toBe(true)
    const again = { key: 'k', read: async () => 'again' }
    expect(await readSlowly(fixture.git, repository, again)).toBe('again')
  })
})
