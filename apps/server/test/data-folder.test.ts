/**
 * Only `stithy serve` makes a data folder: every other command refuses one that is not there, or in
 * which there is nothing of Stithy, and leaves it as it is.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { fromSource } from '../src/testing/clients/server-process.ts'
import { newFolder } from '../src/testing/git/git-client.ts'

const commands = [
  ['index'],
  ['worker'],
  ['admin', 'create-user', 'ada', '--email', 'ada@example.com'],
]

let folder: string
beforeAll(async () => {
  folder = await newFolder()
})

/** Runs `stithy`; what it says on either stream, and its exit code. */
async function stithy(...args: string[]): Promise<{ code: number; said: string }> {
  const env = { PATH: process.env.PATH ?? '' }
  const child = spawn(process.execPath, [...fromSource, ...args], { env })
  const [[code], out, err] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, said: out + err }
}

describe('a command other than `stithy serve`', () => {
  it.each(commands)('refuses a data folder that does not exist: %s', async (...command) => {
    const data = join(folder, 'mistyped', 'data')
    const { code, said } = await stithy(...command, '--data', data)
    expect(said).toMatch(/^(stithy: )?The data folder \S+ does not exist: [^\n]+\.\n$/)
    expect(said).toContain(data)
    expect(code).toBe(1)
    expect(existsSync(join(folder, 'mistyped'))).toBe(false)
  })

  // On PostgreSQL the database is elsewhere.
  it('refuses a folder without a database', async () => {
    const data = join(folder, 'empty')
    await mkdir(data)
    const { code, said } = await stithy('admin', 'migrate', '--data', data)
    expect(said).toMatch(/^(stithy: )?The data folder \S+ has no database: [^\n]+\.\n$/)
    expect(code).toBe(1)
    expect(await readdir(data)).toEqual([])
  })
})
