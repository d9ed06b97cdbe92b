import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RecordingServer, startRecordingServer } from '@stithy/client/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cliIn, temporaryFolder } from '../../test/run-cli.ts'

let server: RecordingServer
let folder: string

beforeAll(async () => {
  server = await startRecordingServer()
  folder = await temporaryFolder()
})

afterAll(() => server.close())

beforeEach(() => {
  server.seen.length = 0
})

function run(...args: string[]) {
  return cliIn(folder)(args, { env: { STITHY_URL: server.url, STITHY_TOKEN: 'tok-123' } })
}

describe('stithy api /path', () => {
  it('reads a path, and writes the response unchanged', async () => {
    server.respond({ body: '{"a" : 1}', headers: { 'content-type': 'application/json' } })
    const answer = await run('api', '/projects/a%2Fb?simple=true')
    expect(answer).toMatchObject({ code: 0, stdout: '{"a" : 1}', stderr: '' })
    expect(server.seen[0]).toMatchObject({
      method: 'GET',
      url: '/api/v4/projects/a%2Fb?simple=true',
    })
    expect(server.seen[0]?.headers.authorization).toBe('Bearer tok-123')
    await run('api', '/api/v4/version')
    expect(server.seen[1]?.url).toBe('/api/v4/version')
  })

  it('sends fields as a form, or in the query of a read', async () => {
    server.respond({ status: 201, json: {} })
    await run('api', '/projects/1/issues', '--field', 'title=a=b', '-f', 'labels[]=x')
    expect(server.seen[0]).toMatchObject({ method: 'POST', url: '/api/v4/projects/1/issues' })
    expect(server.seen[0]?.body).toMatch(/name="title"\r\n\r\na=b\r\n/)
    expect(server.seen[0]?.body).toMatch(/name="labels\[\]"\r\n\r\nx\r\n/)
    await run('api', '-X', 'patch', '/gadgets', '-f', 'name=x')
    expect(server.seen[1]).toMatchObject({ method: 'PATCH', url: '/api/v4/gadgets' })
    expect(server.seen[1]?.body).toMatch(/name="name"\r\n\r\nx\r\n/)
    await run('api', '-X', 'get', '/issues?scope=all', '-f', 'search=a b&c')
    expect(server.seen[2]).toMatchObject({
      method: 'GET',
      url: '/api/v4/issues?scope=all&search=a%20b%26c',
    })
  })

  it('writes to a file, and fails like every call', async () => {
    server.respond({ body: new Uint8Array([0, 255]) })
    const path = join(folder, 'raw.bin')
    expect(await run('api', '/x', '--output', path)).toMatchObject({ code: 0, stdout: '' })
    expect(await readFile(path)).toEqual(Buffer.from([0, 255]))
    server.respond({ status: 404, json: { message: '404 Not Found' } })
    expect(await run('api', '/x')).toMatchObject({ code: 4, stderr: 'stithy: 404 Not Found\n' })
  })

  it('has its own help', async () => {
    const { code, stdout } = await run('api', '/', '--help')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Usage: stithy api <path> \[options\]\n/)
    expect(stdout).toContain('--field <key=value>')
  })
})
