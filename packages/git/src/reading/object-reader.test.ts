import { chmodSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { objectInfo, readObject, streamBlob } from './object-reader.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture({ maxReaders: 3 })
  work = await buildWork(fixture)
})
afterAll(() => fixture.close())

const write = (content: Buffer | string) => work.run(['hash-object', '-w', '--stdin'], content)

describe('readObject', () => {
  it('returns type, size and bytes, also of an empty object', async () => {
    for (const content of [Buffer.from('a\n\0b\n'), Buffer.alloc(0), Buffer.alloc(200_000, 10)]) {
      const oid = write(content)
      const object = await readObject(fixture.git, work.repository, oid)
      expect(object).toMatchObject({ oid, type: 'blob', size: content.length })
      expect(object?.content.equals(content)).toBe(true)
    }
  })

  it('starts no process for a cached object', async () => {
    const oid = write('warm')
    await readObject(fixture.git, work.repository, oid)
    const before = fixture.git.spawnCount
    await readObject(fixture.git, work.repository, oid)
    await readObject(fixture.git, work.repository, write('other'))
    expect(fixture.git.spawnCount).toBe(before)
  })

  it('answers hundreds of concurrent requests, each with its own object', async () => {
    const oids = Array.from({ length: 60 }, (_, index) => write(`number ${index}`.repeat(index)))
    const many = oids.flatMap((oid) => [oid, `${oid.slice(0, 30)}${'0'.repeat(10)}`, oid])
    const objects = await Promise.all(
      many.map((oid) => readObject(fixture.git, work.repository, oid)),
    )
    for (const [index, object] of objects.entries()) {
      expect(object?.oid).toBe(index % 3 === 1 ? undefined : many[index])
    }
  })

  it.each([
    '',
    '-x',
    '--batch-all-objects',
    'a\nb',
    'a\0b',
    'nope',
    'nope missing',
    'x '.repeat(5000),
  ])('knows no object called %j', async (rev) => {
    expect(await readObject(fixture.git, work.repository, rev)).toBeUndefined()
    expect(await objectInfo(fixture.git, work.repository, rev)).toBeUndefined()
  })

  it('finds an object that another process writes later', async () => {
    const oid = work.run(['hash-object', '--stdin'], 'later')
    expect(await readObject(fixture.git, work.repository, oid)).toBeUndefined()
    write('later')
    expect((await readObject(fixture.git, work.repository, oid))?.content.toString()).toBe('later')
  })

  it('keeps at most the configured number of readers, and serves more repositories', async () => {
    const works = await Promise.all(Array.from({ length: 5 }, () => buildWork(fixture)))
    const read = works.map(async (each) => {
      const oid = each.commit({ file: each.tree })
      return (await readObject(fixture.git, each.repository, oid))?.oid === oid
    })
    expect(await Promise.all(read)).toEqual(works.map(() => true))
    expect(fixture.git.parts.objects.size).toBe(3)
  })

  it('has another reader for what is read in the background, and ends both', async () => {
    const idle = await openFixture({ readerIdleMs: 60_000 })
    const { repository, commit } = await buildWork(idle)
    const oid = commit({ a: '1' })
    const { objects } = idle.git.parts
    await readObject(idle.git, repository, oid)
    const read = await objects.ask(repository.path, 'info', oid, { background: true })
    expect(read?.oid).toBe(oid)
    expect(objects.size).toBe(2)
    objects.forget(repository.path)
    expect(objects.size).toBe(0)
    await idle.close()
  })

  it('throws for a corrupt object, and continues with the others', async () => {
    const damaged = write(Buffer.from(Array.from({ length: 20_000 }, Math.random).join()))
    const sound = write('sound')
    const file = join(work.repository.path, 'objects', damaged.slice(0, 2), damaged.slice(2))
    chmodSync(file, 0o644)
    truncateSync(file, 3000)
    const answers = await Promise.allSettled(
      [damaged, sound, sound].map((oid) => readObject(fixture.git, work.repository, oid)),
    )
    const failed = answers[0]?.status === 'rejected' ? answers[0].reason.code : answers[0]
    expect(failed).toBe('corrupt')
    expect(answers.slice(1).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  })

  it('ends idle readers', async () => {
    const idle = await openFixture({ readerIdleMs: 100 })
    const { repository, commit } = await buildWork(idle)
    const [first, second] = [commit({ a: '1' }), commit({ a: '2' })]
    await readObject(idle.git, repository, first)
    const { spawnCount } = idle.git
    await expect.poll(() => idle.git.parts.objects.size).toBe(0)
    await readObject(idle.git, repository, second)
    expect(idle.git.spawnCount).toBe(spawnCount + 1)
    await idle.close()
  })
})

describe('large blobs', () => {
  const size = 9 * 1024 * 1024

  it('are refused by readObject and streamed by streamBlob', async () => {
    const oid = write(Buffer.alloc(size, 'large'))
    const reading = readObject(fixture.git, work.repository, oid)
    await expect(reading).rejects.toMatchObject({ code: 'output_limit' })
    expect(await objectInfo(fixture.git, work.repository, oid)).toMatchObject({ size })
    let bytes = 0
    for await (const chunk of streamBlob(fixture.git, work.repository, oid)) bytes += chunk.length
    expect(bytes).toBe(size)
  })

  it('fail the stream when they are missing', async () => {
    const stream = streamBlob(fixture.git, work.repository, '1'.repeat(40))
    await expect(stream.toArray()).rejects.toMatchObject({ name: 'GitError' })
    expect(() => streamBlob(fixture.git, work.repository, '--x')).toThrow('full object id')
  })
})
