import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, runGitRaw } from '../testing/fixture.ts'
import { createHookFolder } from './push-hook.ts'
import { receivePack } from './transport.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

describe('the folder of the hook', () => {
  it('contains an executable hook, rewritten if it is missing or not executable', async () => {
    const chosen = join(fixture.folder, 'hooks')
    const hooks = createHookFolder(chosen)
    const file = join(chosen, 'pre-receive')
    expect(await hooks.prepare()).toBe(chosen)
    expect(statSync(file).mode & 0o111).toBe(0o111)
    rmSync(file)
    await hooks.prepare()
    chmodSync(file, 0o644)
    await hooks.prepare()
    expect(statSync(file).mode & 0o111).toBe(0o111)
    await hooks.close()
    expect(readdirSync(chosen)).toEqual(['pre-receive'])
  })

  it('is a temporary folder, removed at the end, if none is given', async () => {
    const hooks = createHookFolder(undefined)
    const folder = await hooks.prepare()
    expect(readdirSync(folder)).toEqual(['pre-receive'])
    await hooks.close()
    expect(() => readdirSync(folder)).toThrow()
  })

  it('throws if it cannot be written, rather than allow an unchecked push', async () => {
    const file = join(fixture.folder, 'no-folder')
    writeFileSync(file, '')
    await expect(createHookFolder(file).prepare()).rejects.toThrow()
  })
})

describe('receivePack with forward-only refs', () => {
  const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`

  /** Pushes to refs like a client that has all objects already. */
  async function push(
    updates: [ref: string, before: string, after: string][],
    forwardOnly: { refs: string[]; reason: string },
    work: Awaited<ReturnType<typeof buildWork>>,
  ): Promise<string> {
    const process = await receivePack(fixture.git, work.repository, { forwardOnly })
    const lines = updates.map(([ref, before, after], index) =>
      line(`${before} ${after} ${ref}${index === 0 ? '\0report-status' : ''}`),
    )
    const pack = runGitRaw(['pack-objects', '--stdout', '-q'], '', {}, work.repository.path)
    process.stdin.end(Buffer.concat([Buffer.from(`${lines.join('')}0000`), pack]))
    const output = Buffer.concat(await process.stdout.toArray()).toString()
    await process.exit
    return output
  }

  it('refuses the whole push if one of them would lose commits', async () => {
    const work = await buildWork(fixture)
    const first = work.commit({ a: '1' }, 'first')
    const second = work.commit({ a: '2' }, 'second')
    for (const name of ['odd-$(id)', "it's", 'back`tick`', 'a&b;c']) {
      work.run(['update-ref', `refs/heads/${name}`, second])
    }
    const reason = 'No: $(id) `x` %s "quoted"'
    const names = [
      'refs/heads/odd-$(id)',
      "refs/heads/it's",
      'refs/heads/back`tick`',
      'refs/heads/a&b;c',
    ]
    for (const name of names) {
      const forwardOnly = { refs: ['refs/heads/zz', name], reason }
      const back: [string, string, string] = [name, second, first]
      const other: [string, string, string] = ['refs/heads/main', second, first]
      const output = await push([other, back], forwardOnly, work)
      expect(output).toContain(`ng ${name} pre-receive hook declined`)
      expect(work.run(['rev-parse', 'main'])).toBe(second)
      expect(work.run(['rev-parse', name])).toBe(second)
    }
    const held = { refs: ['refs/heads/mai', 'refs/heads/main2', 'heads/main'], reason }
    expect(await push([['refs/heads/main', second, first]], held, work)).toContain(
      'ok refs/heads/main',
    )
    const forward = { refs: ['refs/heads/main'], reason }
    expect(await push([['refs/heads/main', first, second]], forward, work)).toContain(
      'ok refs/heads/main',
    )
  })
})
