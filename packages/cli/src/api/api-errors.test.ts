import { type RecordingServer, startRecordingServer } from '@stithy/client/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cliIn, type RunCli, type RunInput, temporaryFolder } from '../../test/run-cli.ts'

let server: RecordingServer
let folder: string
let cli: RunCli

beforeAll(async () => {
  server = await startRecordingServer()
  folder = await temporaryFolder()
})

afterAll(() => server.close())

beforeEach(() => {
  server.seen.length = 0
  server.respond({ json: {} })
  cli = cliIn(folder)
})

function api(line: string, input: RunInput = {}) {
  const env = { STITHY_URL: server.url, STITHY_TOKEN: 'tok-123' }
  return cli(['api', ...line.split(' ')], { env, ...input })
}

describe('stithy api: what goes wrong', () => {
  it.each([
    [400, { error: 'name is missing' }, 1, 'stithy: name is missing\n'],
    [400, { message: { name: ['is taken'] } }, 1, 'stithy: name is taken\n'],
    [401, { message: '401 Unauthorized' }, 3, expect.stringContaining('stithy login')],
    [403, { message: '403 Forbidden' }, 5, 'stithy: 403 Forbidden\n'],
    [404, { message: '404 Gadget Not Found' }, 4, 'stithy: 404 Gadget Not Found\n'],
    [500, { message: 'oh\nno' }, 1, 'stithy: oh no\n'],
  ])('answers %i %j with the status %i and one sentence', async (status, json, code, text) => {
    server.respond({ status, json })
    expect(await api('gadgets show --id 1')).toMatchObject({ code, stdout: '', stderr: text })
  })

  it('says it as JSON too', async () => {
    const message = { name: ['is taken'] }
    server.respond({ status: 400, json: { message }, headers: { 'x-request-id': 'r7' } })
    const { stderr } = await api('gadgets show --id 1 --json')
    expect(JSON.parse(stderr)).toEqual({
      message: 'name is taken',
      code: 'validation_failed',
      status: 400,
      fields: { name: ['is taken'] },
      request_id: 'r7',
      exit_code: 1,
    })
    const usage = await api('gadgets show --json')
    expect(JSON.parse(usage.stderr)).toMatchObject({ code: 'usage', exit_code: 2 })
  })

  it('ends with 6 where nobody listens', async () => {
    const { code, stderr } = await api('gadgets create --id 1 --name x', {
      env: { STITHY_URL: 'http://127.0.0.1:9', STITHY_TOKEN: 'tok-123' },
    })
    expect(code).toBe(6)
    expect(stderr).toMatch(
      /^stithy: The server at http:\/\/127\.0\.0\.1:9 cannot be reached: .+\n$/,
    )
  })

  it('ends with 130 after Ctrl-C, without a word', async () => {
    server.respond('hang')
    const { code, stderr } = await api('gadgets list', {
      env: { STITHY_URL: server.url },
      signal: AbortSignal.timeout(50),
    })
    expect([code, stderr]).toEqual([130, ''])
  })

  it.each([
    ['gadgets show', '--id'],
    ['gadgets list --iids x', '--iids must be a whole number, not "x"'],
    ['gadgets list --order-by size', '--order-by must be one of id, name'],
    ['gadgets list --archived maybe', '--archived must be true or false'],
    ['gadgets list --custom-attributes x', '--custom-attributes must be key=value'],
    ['gadgets create --id 1 --name x --parts {', '--parts must be JSON'],
    ['gadgets upload --id 1 --file /does/not/exist', 'cannot be read'],
    ['gadgets list --serch x', 'Did you mean --search?'],
    ['gadgets lst', 'Did you mean list?'],
    ['gadget list', 'Did you mean gadgets?'],
    ['gadgets show 7 --id 1', 'too many arguments'],
  ])('ends `api %s` with 2 and a reason', async (line, reason) => {
    const { code, stdout, stderr } = await api(line)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(reason)
    expect(stderr).toMatch(/^stithy: [^\n]+\n$/)
    expect(server.seen).toHaveLength(0)
  })
})
