import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { readCommitSignature } from './commit-signature.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
})
afterAll(() => fixture.close())

const armor = '-----BEGIN PGP SIGNATURE-----\n\nabc=\n-----END PGP SIGNATURE-----'

it('reads the signature of a commit unchanged', async () => {
  const plain = work.commit({ a: '1' }, 'gpgsig in the message\n\ngpgsig x')
  const [head, message] = work.run(['cat-file', 'commit', plain]).split(/\n\n(.*)/s)
  const header = `gpgsig ${armor.replaceAll('\n', '\n ')}`
  const content = `${head}\n${header}\nencoding UTF-8\n\n${message}\n`
  const signed = work.run(['hash-object', '-t', 'commit', '-w', '--stdin'], content)
  const read = (oid: string) => readCommitSignature(fixture.git, work.repository, oid)
  const found = await read(signed)
  expect(found?.armored).toBe(armor)
  expect(found?.payload.toString()).toBe(`${head}\nencoding UTF-8\n\n${message}\n`)
  expect(await read(plain)).toBeUndefined()
  expect(await read(work.run(['rev-parse', 'HEAD^{tree}']))).toBeUndefined()
  expect(await read('f'.repeat(40))).toBeUndefined()
  expect(await read('-x')).toBeUndefined()
})
