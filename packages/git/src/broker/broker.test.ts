import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGit } from '../git.ts'
import { type Fixture, openFixture } from '../testing/fixture.ts'
import { defaultBrokerScript, openHost } from './host.ts'
import type { ProcessLimits } from './limits.ts'
import { run } from './run.ts'

let fixture: Fixture

beforeAll(async () => {
  // With a separate broker: these tests look at all children of it.
  fixture = await openFixture({ broker: undefined })
})
afterAll(() => fixture.close())

/** Git as a shell: an alias is the only way to make it run arbitrary programs. */
const shell = (script: string) => ['-c', `alias.sh=!${script}`, 'sh']

function childrenOf(pid: number | undefined): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition).toBe(true)
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Whether the process that wrote its id to a file is alive; on a busy machine it may have ended before it wrote. */
const isRunning = (file: string) => existsSync(file) && isAlive(Number(readFileSync(file, 'utf8')))

describe('the broker', () => {
  it('passes input and output through unchanged', async () => {
    const { spawner } = fixture.git.parts
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
    const result = await run(spawner, { args: shell('cat'), stdin: bytes })
    expect(result.stdout.equals(bytes)).toBe(true)
    expect(result.code).toBe(0)
  })

  it('gives git a clean environment', async () => {
    process.env.GIT_AUTHOR_NAME = 'intruder'
    const clean = await openGit()
    delete process.env.GIT_AUTHOR_NAME
    const { stdout } = await run(clean.parts.spawner, { args: shell('env') })
    await clean.close()
    const names = stdout
      .toString()
      .split('\n')
      .map((line) => line.split('=')[0])
    expect(names).toContain('GIT_CONFIG_NOSYSTEM')
    expect(names).not.toContain('HOME')
    expect(names).not.toContain('GIT_AUTHOR_NAME')
  })

  it('reports the exit code and stderr of a failing git', async () => {
    const { spawner } = fixture.git.parts
    const failing = run(spawner, { args: shell('echo first; echo broken >&2; exit 3;:') })
    await expect(failing).rejects.toMatchObject({ code: 'failed', stderr: 'broken\n' })
  })

  it('keeps the last 64 KiB of stderr', async () => {
    const { spawner } = fixture.git.parts
    const failing = run(spawner, { args: shell('seq 1 100000 >&2; exit 1;:') })
    const error = await failing.catch((reason) => reason)
    expect(error.stderr.length).toBe(65_536)
    expect(error.stderr.endsWith('\n100000\n')).toBe(true)
  })

  it.runIf(process.platform === 'linux')(
    'lowers the priority of git in the background',
    async () => {
      const { spawner } = fixture.git.parts
      // The parent of the shell is git; one that is not lowered is waited for until the test fails.
      const niceness = '$(ps -o ni= -p $PPID | tr -d " ")'
      const args = shell(`until [ ${niceness} = 10 ]; do sleep 0.01; done; echo lowered`)
      const { stdout } = await run(spawner, { args, background: true })
      expect(stdout.toString()).toBe('lowered\n')
      const other = await run(spawner, { args: shell(`echo ${niceness}`) })
      expect(other.stdout.toString()).toBe(`${getPriority()}\n`)
    },
  )

  it('kills a process that takes too long, with its children', async () => {
    const { spawner } = fixture.git.parts
    const before = Date.now()
    const file = join(fixture.folder, 'pid')
    const args = shell(`echo $$ > ${file}; sleep 20; echo late`)
    const failing = run(spawner, { args, timeoutMs: 250 })
    await expect(failing).rejects.toMatchObject({ code: 'timeout' })
    expect(Date.now() - before).toBeLessThan(5000)
    await until(() => childrenOf(fixture.git.brokerPid) === '')
    await until(() => !isRunning(file))
  })

  it('sends SIGKILL to a process that ignores SIGTERM', async () => {
    const { spawner } = fixture.git.parts
    const file = join(fixture.folder, 'stubborn')
    const args = shell(`echo $$ > ${file}; trap "" TERM; sleep 20;:`)
    const stubborn = await spawner.start({ args, timeoutMs: 250 })
    stubborn.stdout.resume()
    expect(await stubborn.exit).toMatchObject({ reason: 'timeout' })
    await until(() => !isRunning(file))
  })

  it('kills a process that writes too much', async () => {
    const { spawner } = fixture.git.parts
    const failing = run(spawner, { args: shell('yes'), maxOutputBytes: 100_000 })
    await expect(failing).rejects.toMatchObject({ code: 'output_limit' })
  })

  it('kills git when the caller aborts, before and after the start', async () => {
    const { spawner } = fixture.git.parts
    const controller = new AbortController()
    const { signal } = controller
    const failing = run(spawner, { args: shell('sleep 20;:'), signal })
    const early = run(spawner, { args: shell('sleep 20;:'), signal })
    setTimeout(() => controller.abort(), 50)
    await expect(failing).rejects.toMatchObject({ code: 'aborted' })
    await expect(early).rejects.toMatchObject({ code: 'aborted' })
    const late = run(spawner, { args: ['version'], signal })
    await expect(late).rejects.toMatchObject({ code: 'aborted' })
    await until(() => childrenOf(fixture.git.brokerPid) === '')
  })

  it('kills git when the reader of its output disconnects', async () => {
    const { spawner } = fixture.git.parts
    const process = await spawner.start({ args: shell('sleep 20;:') })
    process.stdout.destroy()
    expect(await process.exit).toMatchObject({ reason: 'closed' })
  })

  it('applies back-pressure to git while nobody reads', async () => {
    const { spawner } = fixture.git.parts
    const process = await spawner.start({ args: shell('seq 1 1000000; echo end >&2;:') })
    await sleep(300)
    expect(process.stdout.readableLength).toBeLessThan(200_000)
    let bytes = 0
    for await (const chunk of process.stdout) bytes += chunk.length
    expect(bytes).toBe(6_888_896)
    expect(await process.exit).toMatchObject({ code: 0, stderr: 'end\n' })
  })

  it('applies back-pressure to the sender while git does not read', async () => {
    const { spawner } = fixture.git.parts
    const process = await spawner.start({ args: shell('sleep 0.3; cat'), input: true })
    let bytes = 0
    process.stdout.on('data', (chunk) => {
      bytes += chunk.length
    })
    let writes = 0
    const chunk = Buffer.alloc(65_536)
    while (process.stdin.write(chunk) || writes < 2) writes += 1
    expect(writes).toBeLessThan(20)
    await new Promise((resolve) => process.stdin.once('drain', resolve))
    process.stdin.end()
    await process.exit
    await until(() => bytes === (writes + 1) * 65_536)
  })

  it('discards input that git does not read, and still returns its output', async () => {
    const { spawner } = fixture.git.parts
    const args = shell('echo refused; exit 0;:')
    const { stdout } = await run(spawner, { args, stdin: Buffer.alloc(4_000_000) })
    expect(stdout.toString()).toBe('refused\n')
  })
})

describe('limits of a process', () => {
  const report = shell('echo "$(ulimit -d) $(ulimit -t) $GIT_ALLOC_LIMIT";:')
  const limitsOf = async (options: { limits?: ProcessLimits }) => {
    const { stdout } = await run(fixture.git.parts.spawner, { args: report, ...options })
    return stdout.toString().trim()
  }

  it('are set for itself and its children, or inherited from the broker', async () => {
    const limits = { memoryBytes: 64 * 1024 * 1024, cpuSeconds: 7 }
    expect(await limitsOf({ limits })).toBe('65536 7 67108864')
    expect(await limitsOf({})).toBe('1048576 unlimited 1073741824')
    const more = { memoryBytes: 4 * 1024 ** 3, cpuSeconds: 7200 }
    expect(await limitsOf({ limits: more })).toBe('4194304 7200 4294967296')
  })

  it('reports exceeded ones as errors of their own', async () => {
    const { spawner } = fixture.git.parts
    const limits = { memoryBytes: 512 * 1024 * 1024, cpuSeconds: 1 }
    const busy = run(spawner, { args: shell('while :; do :; done;:'), limits })
    await expect(busy).rejects.toMatchObject({ code: 'timeout' })
    const few = { memoryBytes: 2 * 1024 * 1024, cpuSeconds: 10 }
    const args = ['hash-object', '--stdin']
    const large = run(spawner, { args, limits: few, stdin: Buffer.alloc(4 * 1024 * 1024) })
    await expect(large).rejects.toMatchObject({ code: 'memory_limit' })
  })

  it('starts the program as it was given', async () => {
    const { spawner } = fixture.git.parts
    const limits = { memoryBytes: 512 * 1024 * 1024, cpuSeconds: 10 }
    const name = `it's $(odd) "name" \\ ;`
    const args = ['-c', `test.name=${name}`, 'config', 'test.name']
    expect((await run(spawner, { args, limits })).stdout.toString()).toBe(`${name}\n`)
    const failing = run(spawner, { args: shell('echo broken >&2; exit 3;:'), limits })
    await expect(failing).rejects.toMatchObject({ stderr: 'broken\n' })
  })
})

describe('a process that something else kills', () => {
  it('takes its children with it', async () => {
    const file = join(fixture.folder, 'child')
    const script = `sleep 20 & echo $! > ${file}; wait;:`
    const started = await fixture.git.parts.spawner.start({ args: shell(script) })
    started.stdout.resume()
    await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'))
    const child = Number(readFileSync(file, 'utf8'))
    const leader = Number(readFileSync(`/proc/${child}/stat`, 'utf8').split(' ')[4])
    process.kill(leader, 'SIGKILL')
    expect((await started.exit).code).not.toBe(0)
    await until(() => !isAlive(child))
  })
})

describe('the lifetime of the broker', () => {
  it('fails pending requests when it crashes, and restarts', async () => {
    const logged: string[] = []
    const log = (_: object, message: string) => void logged.push(message)
    const git = await openGit({ logger: { warn: log, error: log } })
    const pending = run(git.parts.spawner, { args: shell('sleep 20;:') })
    await until(() => git.brokerPid !== undefined)
    const first = git.brokerPid
    await until(() => childrenOf(first) !== '')
    const children = childrenOf(first).split(' ').map(Number)
    expect(children.every((child) => child > 0 && isAlive(child))).toBe(true)
    // Reports are in order: once this one has ended, the pid of the first has arrived.
    await run(git.parts.spawner, { args: ['version'] })
    process.kill(first ?? 0, 'SIGKILL')
    await expect(pending).rejects.toMatchObject({ code: 'failed', message: /broker/ })
    await until(() => children.every((child) => !isAlive(child)))
    const { stdout } = await run(git.parts.spawner, { args: ['version'] })
    expect(stdout.toString()).toContain('git version')
    expect(git.brokerPid).not.toBe(first)
    expect(logged).toHaveLength(1)
    await git.close()
  })

  it('leaves no process, socket or open file when closed', async () => {
    const descriptors = () => readdirSync('/proc/self/fd').length
    const before = descriptors()
    const git = await openGit()
    const process = await git.parts.spawner.start({ args: shell('sleep 20;:'), input: true })
    const pid = git.brokerPid ?? 0
    process.stdout.on('error', () => {})
    const children = childrenOf(pid).split(' ').map(Number)
    for (let round = 0; round < 20; round += 1) await run(git.parts.spawner, { args: ['version'] })
    await git.close()
    expect(isAlive(pid)).toBe(false)
    await until(() => children.every((child) => !isAlive(child)))
    await until(() => descriptors() <= before)
    await expect(run(git.parts.spawner, { args: ['version'] })).rejects.toThrow('closed')
  })

  it('outlives an engine that shares it, and kills the processes of that engine only', async () => {
    const broker = await openHost(defaultBrokerScript())
    const closed = await openGit({ broker })
    const other = await openGit({ broker })
    const killed = await closed.parts.spawner.start({ args: shell('sleep 20;:') })
    const kept = await other.parts.spawner.start({ args: shell('cat'), input: true })
    await closed.close()
    expect(await killed.exit).toMatchObject({ reason: 'closed' })
    await expect(run(closed.parts.spawner, { args: ['version'] })).rejects.toThrow('closed')
    kept.stdin.end('still here')
    expect(await text(kept.stdout)).toBe('still here')
    await other.close()
    const { pid = 0 } = broker
    expect(isAlive(pid)).toBe(true)
    await broker.close()
    expect(isAlive(pid)).toBe(false)
  })

  it('exits with the server, and stops git and removes the socket', async () => {
    const file = join(fixture.folder, 'orphan')
    const program = `
      const { openGit } = await import(${JSON.stringify(new URL('../git.ts', import.meta.url).href)})
      const git = await openGit()
      const script = 'echo $$ > ${file}; trap "" TERM; sleep 30;:'
      await git.parts.spawner.start({ args: ['-c', 'alias.sh=!' + script, 'sh'] })
      const { existsSync, readFileSync } = await import('node:fs')
      const turn = () => new Promise((resolve) => setTimeout(resolve, 20))
      while (!existsSync(${JSON.stringify(file)})) await turn()
      const args = readFileSync('/proc/' + git.brokerPid + '/cmdline', 'utf8').split('\\0')
      console.log(git.brokerPid + ' ' + args.find((arg) => arg.endsWith('/socket')))
      process.kill(process.pid, 'SIGKILL')`
    const script = ['--input-type=module-typescript', '-e', program]
    const { stdout } = spawnSync(process.execPath, script, { encoding: 'utf8' })
    const [pid = '', socket = ''] = stdout.trim().split(' ')
    expect(socket).toMatch(/socket$/)
    await until(() => !isAlive(Number(pid)))
    expect(existsSync(socket)).toBe(false)
    await until(() => !isRunning(file))
  })

  it('runs another script, and throws when git is missing', async () => {
    const git = await openGit({ brokerScript: defaultBrokerScript() })
    expect(git.version).toMatch(/^2\./)
    await git.close()
    await expect(openGit({ binary: '/nowhere/git' })).rejects.toMatchObject({
      code: 'failed',
      stderr: expect.stringContaining('ENOENT'),
    })
  })
})
