import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RecordingServer, startRecordingServer } from '@stithy/client/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cliIn, type Run, type RunCli, temporaryFolder } from '../../test/run-cli.ts'

let server: RecordingServer
let folder: string
let cli: RunCli

beforeAll(async () => {
  server = await startRecordingServer()
})

afterAll(() => server.close())

beforeEach(async () => {
  folder = join(await temporaryFolder(), 'stithy')
  cli = cliIn(folder)
  server.seen.length = 0
  server.respond({ json: { id: 1, name: 'Ann', username: 'ann' } })
})

function config(): Promise<string> {
  return readFile(join(folder, 'config.toml'), 'utf8')
}

function expectNoSecret({ stdout, stderr }: Run): void {
  expect(stdout + stderr).not.toContain('s3cret')
}

describe('stithy login', () => {
  it('checks the typed token, and stores it in a file that only its owner can read', async () => {
    const run = await cli(['login', '--url', `${server.url}/`], { stdin: 's3cret-1\n' })
    expect(run).toMatchObject({ code: 0, stdout: `Signed in to ${server.url} as Ann (@ann).\n` })
    expectNoSecret(run)
    expect(server.seen[0]).toMatchObject({ method: 'GET', url: '/api/v4/user' })
    expect(server.seen[0]?.headers.authorization).toBe('Bearer s3cret-1')
    expect(await config()).toContain('s3cret-1')
    expect((await stat(join(folder, 'config.toml'))).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  it('warns of a token on the command line', async () => {
    const run = await cli(['login', '--url', server.url, '--token', 's3cret'])
    expect(run.code).toBe(0)
    expect(run.stderr).toMatch(/^Warning: /)
    expectNoSecret(run)
  })

  it('stores no token that the server rejects', async () => {
    server.respond({ status: 401, json: { message: '401 Unauthorized' } })
    const run = await cli(['login', '--url', server.url], { stdin: 's3cret' })
    expect(run.code).toBe(3)
    expectNoSecret(run)
    await expect(config()).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it.each([
    ['no token', server?.url, '\n'],
    ['a token with blanks inside', server?.url, 's3cret two'],
    ['credentials in the address', 'http://u:s3cret@localhost', 'x'],
    ['another protocol', 'ftp://localhost', 'x'],
  ])('refuses %s with 2', async (_, url, stdin) => {
    const run = await cli(['login', '--url', url ?? server.url], { stdin })
    expect(run.code).toBe(2)
    expectNoSecret(run)
    expect(server.seen).toHaveLength(0)
  })

  it('restricts the mode of a file that others could read', async () => {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'config.toml'), '')
    await chmod(join(folder, 'config.toml'), 0o644)
    await cli(['login', '--url', server.url], { stdin: 's3cret' })
    expect((await stat(join(folder, 'config.toml'))).mode & 0o777).toBe(0o600)
  })

  it('does not print an invalid file, which may contain a token', async () => {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'config.toml'), 'token = "s3cret\n')
    const run = await cli(['whoami', '--url', server.url])
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('config.toml') })
    expectNoSecret(run)
  })
})

describe('stithy whoami', () => {
  it('uses the server of the last login', async () => {
    const other = await startRecordingServer()
    other.respond({ json: { name: 'Bob', username: 'bob' } })
    await cli(['login', '--url', server.url], { stdin: 's3cret-1' })
    await cli(['login', '--url', other.url], { stdin: 's3cret-2' })
    expect((await cli(['whoami'])).stdout).toBe(`Bob (@bob) at ${other.url}\n`)
    const first = await cli(['whoami', '--url', server.url, '--json'])
    expect(JSON.parse(first.stdout)).toMatchObject({ url: server.url, user: { username: 'ann' } })
    expect(server.seen.at(-1)?.headers.authorization).toBe('Bearer s3cret-1')
    await other.close()
  })

  it('prefers the environment over the file, and flags over both', async () => {
    await cli(['login', '--url', server.url], { stdin: 's3cret-file' })
    const env = { STITHY_TOKEN: 's3cret-env' }
    await cli(['whoami'], { env })
    expect(server.seen.at(-1)?.headers.authorization).toBe('Bearer s3cret-env')
    const run = await cli(['whoami', '--token', 's3cret-flag'], { env })
    expect(server.seen.at(-1)?.headers.authorization).toBe('Bearer s3cret-flag')
    expectNoSecret(run)
  })

  it('sends a stored token to no other server', async () => {
    await cli(['login', '--url', server.url], { stdin: 's3cret' })
    const other = await startRecordingServer()
    const run = await cli(['whoami'], { env: { STITHY_URL: other.url } })
    expect(run).toMatchObject({ code: 3, stderr: expect.stringContaining('Not signed in') })
    await cli(['rare-words', 'list-old', '--url', other.url])
    expect(other.seen).toHaveLength(1)
    expect(other.seen[0]?.headers.authorization).toBeUndefined()
    await other.close()
  })
})

describe('stithy logout', () => {
  it('removes the token, and makes another stored server the default', async () => {
    await cli(['login', '--url', 'http://127.0.0.1:9'], { stdin: 's3cret' })
    await cli(['login', '--url', server.url], { stdin: 's3cret-1' })
    await cli(['login', '--url', `${server.url}/sub`], { stdin: 's3cret-2' })
    expect((await cli(['logout'])).stdout).toBe(`Signed out of ${server.url}/sub.\n`)
    expect(await config()).not.toContain('s3cret-2')
    expect((await cli(['whoami'])).stdout).toContain(server.url)
    expect((await cli(['logout'])).code).toBe(0)
    expect(await cli(['logout'])).toMatchObject({ code: 3, stdout: '' })
    expect(await config()).not.toContain('s3cret')
  })
})
