import { readdirSync } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { objectInfo } from '../reading/object-reader.ts'
import { buildWork, type Fixture, openFixture, runGitRaw, type Work } from '../testing/fixture.ts'
import { appendingDelta, buildPack, type PackedObject, repeatingDelta } from '../testing/packs.ts'
import { withQuarantine } from './quarantine.ts'

const mebibyte = 1024 * 1024
let fixture: Fixture
let work: Work
let source: Work

beforeAll(async () => {
  const transferLimits = { memoryBytes: 48 * mebibyte, cpuSeconds: 60 }
  fixture = await openFixture({ transferLimits })
  work = await buildWork(fixture)
  work.commit({ a: '1' }, 'first')
  source = await buildWork(fixture)
})
afterAll(() => fixture.close())

const contents = () => readdirSync(work.repository.path, { recursive: true }).map(String).toSorted()
const bytes = (pack: Buffer) => Readable.from([pack], { objectMode: false })
const receive = (pack: Buffer, open = fixture) =>
  withQuarantine(open.git, work.repository, (quarantine) => quarantine.receive(bytes(pack)))
const packOf = (oid: string) =>
  runGitRaw(['pack-objects', '--revs', '--stdout', '-q'], `${oid}\n`, {}, source.repository.path)

describe('withQuarantine', () => {
  it('adds nothing to the repository before the objects are accepted', async () => {
    const first = source.commit({ a: '1', b: '2' }, 'first')
    const second = source.commit({ a: '2' }, 'second')
    const before = contents()
    const taken = await withQuarantine(fixture.git, work.repository, async (quarantine) => {
      expect(await quarantine.isComplete([second])).toBe(false)
      await quarantine.receive(bytes(packOf(second)))
      expect(await objectInfo(fixture.git, work.repository, second)).toBeUndefined()
      return [
        await quarantine.isComplete([second, first]),
        await quarantine.isAncestor(first, second),
        await quarantine.isAncestor(second, first),
        await quarantine.isComplete(['e'.repeat(40)]),
      ]
    })
    expect(taken).toEqual([true, true, false, false])
    expect(contents()).toEqual(before)
  })

  it('adds a pack that a running reader finds', async () => {
    const first = source.commit({ a: '3' }, 'third')
    expect(await objectInfo(fixture.git, work.repository, first)).toBeUndefined()
    await withQuarantine(fixture.git, work.repository, async (quarantine) => {
      await quarantine.receive(bytes(packOf(first)))
      await quarantine.accept()
    })
    expect(await objectInfo(fixture.git, work.repository, first)).toMatchObject({ type: 'commit' })
    expect(contents().filter((name) => name.includes('tmp_'))).toEqual([])
  })

  it('adds no file for a pack without objects', async () => {
    const before = contents()
    await withQuarantine(fixture.git, work.repository, async (quarantine) => {
      await quarantine.receive(bytes(buildPack([])))
      await quarantine.accept()
    })
    expect(contents()).toEqual(before)
  })

  it('finds objects missing that the pack refers to', async () => {
    const tree = source.run(['rev-parse', 'HEAD^{tree}'])
    const parent = source.run(['commit-tree', '-m', 'parent', tree])
    const oid = source.run(['commit-tree', '-m', 'child', '-p', parent, tree])
    const list = `${oid}\n${tree}\n`
    const alone = runGitRaw(['pack-objects', '--stdout', '-q'], list, {}, source.repository.path)
    await expect(receive(alone)).rejects.toMatchObject({ name: 'GitError' })
  })

  it('passes on what git says of a damaged pack, and throws it', async () => {
    const pack = packOf(source.run(['rev-parse', 'HEAD']))
    pack.fill(0xff, 30, 40)
    const said: Buffer[] = []
    const receiving = withQuarantine(fixture.git, work.repository, (quarantine) =>
      quarantine.receive(bytes(pack), { onOutput: (text) => said.push(text) }),
    )
    await expect(receiving).rejects.toMatchObject({ stderr: expect.stringContaining('fatal: ') })
    expect(Buffer.concat(said).toString()).toContain('fatal: ')
  })

  it('ends git and leaves nothing when the sender fails', async () => {
    const before = contents()
    const body = new PassThrough()
    body.write(packOf(source.run(['rev-parse', 'HEAD'])).subarray(0, 40))
    const receiving = withQuarantine(fixture.git, work.repository, async (quarantine) => {
      queueMicrotask(() => body.destroy(new Error('the line is dead')))
      await quarantine.receive(body)
    })
    await expect(receiving).rejects.toThrow('the line is dead')
    expect(contents()).toEqual(before)
  })
})

describe('the memory of a pack', () => {
  const block: PackedObject = { type: 'blob', content: Buffer.alloc(65_536, 'x') }
  const grown = (size: number): PackedObject[] => [
    block,
    { base: 0, delta: repeatingDelta(65_536, size) },
  ]
  const chain = (size: number, length: number): PackedObject[] => {
    const objects = grown(size)
    for (let index = 2; index < length; index += 1) {
      objects.push({ base: index - 1, delta: appendingDelta(size + index - 2) })
    }
    return objects
  }

  it.each([
    ['a delta of a gigabyte', grown(1024 * mebibyte)],
    ['a delta of almost the limit', grown(47 * mebibyte)],
    ['a chain of deltas that fit each', chain(30 * mebibyte, 20)],
    [
      'a tree of highly compressible bytes',
      [{ type: 'tree', content: Buffer.alloc(100 * mebibyte) }],
    ],
  ] as [string, PackedObject[]][])('is limited: %s is refused', async (_what, objects) => {
    const pack = buildPack(objects)
    const before = contents()
    await expect(receive(pack)).rejects.toMatchObject({ code: 'memory_limit' })
    expect(contents()).toEqual(before)
  })

  it('is limited for the number of objects that a pack claims to have', async () => {
    const pack = Buffer.concat([Buffer.from('PACK'), Buffer.from([0, 0, 0, 2, 0x0f, 0, 0, 0])])
    await expect(receive(pack)).rejects.toMatchObject({ code: 'memory_limit' })
  })

  it('does not limit the size of files', async () => {
    const file: PackedObject = { type: 'blob', content: Buffer.alloc(200 * mebibyte) }
    await expect(receive(buildPack([file]))).resolves.toBeUndefined()
  })

  it('is that of the pack of many objects, and no more', async () => {
    const many = Array.from({ length: 50_000 }, (_, index): PackedObject => {
      return { type: 'blob', content: Buffer.from(`number ${index}`) }
    })
    await expect(receive(buildPack(many))).resolves.toBeUndefined()
  })

  it('comes with a limit of processor time', async () => {
    const transferLimits = { memoryBytes: 1024 * mebibyte, cpuSeconds: 1 }
    const slow = await openFixture({ transferLimits })
    const pack = buildPack(chain(100 * mebibyte, 60))
    await expect(receive(pack, slow)).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('processor time'),
    })
    await slow.close()
  })
})
