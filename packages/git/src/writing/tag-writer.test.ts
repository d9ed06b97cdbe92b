import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTag } from '../reading/text-object.ts'
import { listRefs, updateRef, zeroOid } from '../refs/refs.ts'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { writeTag } from './tag-writer.ts'

let fixture: Fixture
let work: Work
let target: string

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
  target = work.commit({ 'a.txt': 'a\n' })
})
afterAll(() => fixture.close())

const tagger = { name: 'Ada', email: 'ada@example.com', date: new Date('2026-01-02T03:04:05Z') }

function write(name: string, message = 'First\n\nrelease', to = target) {
  return writeTag(fixture.git, work.repository, { name, target: to, message, tagger })
}

describe('writeTag', () => {
  it('writes an object that no ref reaches, and that git accepts as a tag', async () => {
    const oid = await write('v1/ünï')
    expect(await readTag(fixture.git, work.repository, oid)).toEqual({
      oid,
      name: 'v1/ünï',
      target,
      targetType: 'commit',
      tagger: { name: 'Ada', email: 'ada@example.com', date: '2026-01-02T03:04:05.000+00:00' },
      message: 'First\n\nrelease\n',
    })
    expect(await listRefs(fixture.git, work.repository, 'tags')).toEqual([])
    await updateRef(fixture.git, work.repository, 'refs/tags/v1/ünï', oid, zeroOid)
    expect(work.run(['tag', '--list', '--points-at', target])).toBe('v1/ünï')
    expect(work.run(['fsck', '--strict'])).toBe('')
  })

  it('preserves a message that looks like a header or an option', async () => {
    const oid = await write('odd', '--help\nobject 0000\n\0tagger x')
    expect((await readTag(fixture.git, work.repository, oid))?.message).toBe(
      '--help\nobject 0000\ntagger x\n',
    )
  })

  it('tags objects that are not commits', async () => {
    const blob = work.run(['rev-parse', 'HEAD:a.txt'])
    const oid = await write('blob', 'm', blob)
    expect((await readTag(fixture.git, work.repository, oid))?.targetType).toBe('blob')
  })

  it('removes control characters from names', async () => {
    const oid = await writeTag(fixture.git, work.repository, {
      name: 'clean',
      target,
      message: 'm',
      tagger: { ...tagger, name: 'A\nobject <x>', email: 'a b>\n@x' },
    })
    const tag = await readTag(fixture.git, work.repository, oid)
    expect(tag?.tagger).toMatchObject({ name: 'A object x', email: 'ab@x' })
  })

  it.each(['', 'a b', 'a\nb', 'a..b', '.a', 'a.lock', 'a\0b'])(
    'refuses the name %j',
    async (name) => {
      await expect(write(name)).rejects.toMatchObject({ code: 'invalid' })
    },
  )

  it.each(['f'.repeat(40), '--help', 'HEAD', 'main', ''])('refuses the target %s', async (to) => {
    await expect(write('v9', 'm', to)).rejects.toMatchObject({ code: 'not_found' })
  })
})
