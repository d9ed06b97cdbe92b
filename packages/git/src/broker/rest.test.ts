import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { openGit } from '../git.ts'
import { run } from './run.ts'

describe('a broker that has nothing to do', () => {
  it('ends, and starts again on demand', async () => {
    const logged: string[] = []
    const log = (_: object, message: string) => void logged.push(message)
    const git = await openGit({ brokerIdleMs: 0, logger: { warn: log, error: log } })
    expect(git.brokerPid).toBeUndefined()
    const args = ['hash-object', '--stdin']
    const process = await git.parts.spawner.start({ args, input: true })
    const first = git.brokerPid
    // Others that end meanwhile leave it one to serve.
    await run(git.parts.spawner, { args: ['version'] })
    expect(git.brokerPid).toBe(first)
    process.stdin.end('text')
    expect((await text(process.stdout)).trim()).toMatch(/^[0-9a-f]{40}$/)
    expect(await process.exit).toMatchObject({ code: 0 })
    await expect.poll(() => existsSync(`/proc/${first}`)).toBe(false)
    expect(git.brokerPid).toBeUndefined()
    const { stdout } = await run(git.parts.spawner, { args: ['version'] })
    expect(stdout.toString()).toContain('git version')
    expect(logged).toEqual([])
    await git.close()
  })
})
