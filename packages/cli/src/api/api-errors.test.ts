import { type RecordingServer, startRecordingServer } from '@stithy/client/testing'
import { contracts } from '@stithy/core'
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

function run(line: string, input: RunInput = {}) {
  const env = { STITHY_URL: server.url, STITHY_TOKEN: 'tok-123' }
  return cli(line.split(' '), { env, ...input })
}

describe('API commands: errors', () => {
  it.each([
    [400, { error: 'name is missing' }, 1, 'stithy: name is missing\n'],
    [400, { message: { name: ['is taken'] } }, 1, 'stithy: name is taken\n'],
    [401, { message: '401 Unauthorized' }, 3, expect.stringContaining('stithy login')],
    [403, { message: '403 Forbidden' }, 5, 'stithy: 403 Forbidden\n'],
    [404, { message: '404 Gadget Not Found' }, 4, 'stithy: 404 Gadget Not Found\n'],
    [500, { message: 'oh\nno' }, 1, 'stithy: oh no\n'],
  ])('answers %i %j with the status %i and one sentence', async (status, json, code, text) => {
    server.respond({ status, json })
    expect(await run('gadgets show --gadget 1')).toMatchObject({ code, stdout: '', stderr: text })
  })

  it('prints errors as JSON with --json', async () => {
    const message = { name: ['is taken'] }
    server.respond({ status: 400, json: { message }, headers: { 'x-request-id': 'r7' } })
    const { stderr } = await run('gadgets show --gadget 1 --json')
    expect(JSON.parse(stderr)).toEqual({
      message: 'name is taken',
      code: 'validation_failed',
      status: 400,
      fields: { name: ['is taken'] },
      request_id: 'r7',
      exit_code: 1,
    })
    const usage = await run('gadgets show --json')
    expect(JSON.parse(usage.stderr)).toMatchObject({ code: 'usage', exit_code: 2 })
  })

  it('exits with 6 if no server responds', async () => {
    const { code, stderr } = await run('gadgets create --project 1 --name x', {
      env: { STITHY_URL: 'http://127.0.0.1:9', STITHY_TOKEN: 'tok-123' },
    })
    expect(code).toBe(6)
    expect(stderr).toMatch(
      /^stithy: The server at http:\/\/127\.0\.0\.1:9 cannot be reached: .+\n$/,
    )
  })

  it('exits with 130 after Ctrl-C, without output', async () => {
    const controller = new AbortController()
    server.respond(() => {
      controller.abort()
      return 'hang'
    })
    const { code, stderr } = await run('gadgets list', {
      env: { STITHY_URL: server.url },
      signal: controller.signal,
    })
    expect([code, stderr]).toEqual([130, ''])
  })

  it.each([
    ['labels list', '--project or --group is missing'],
    ['labels list --project 1 --group 2', '--project and --group exclude each other'],
    [
      'deploy-keys create --title x --key y --can-push',
      '--can-push can only be used with --project',
    ],
    ['issues notes list --issue 3', '--project is missing'],
  ])('ends `%s` with 2, as a label, key or note has one parent', async (line, reason) => {
    const { code, stderr } = await run(line, { registry: contracts })
    expect([code, stderr]).toEqual([2, `stithy: ${reason}\n`])
  })

  it.each([
    ['gadgets show', '--gadget is missing'],
    ['gadgets list --iids x', '--iids must be a whole number, not "x"'],
    ['gadgets list --order-by size', '--order-by must be one of id, name'],
    ['gadgets list --archived maybe', '--archived must be true or false'],
    ['gadgets list --custom-attributes x', '--custom-attributes must be key=value'],
    ['gadgets create --project 1 --name x --parts {', '--parts must be JSON'],
    ['gadgets files create --gadget 1 --file /does/not/exist', 'cannot be read'],
    ['gadgets list --serch x', 'Did you mean --search?'],
    ['gadgets list --group 1 --archived', '--archived can only be used without --group'],
    ['gadgets list --deep', '--deep can only be used with --group'],
    ['gadgets delete --group 1', '--gadget is missing'],
    ['gadgets delete', '--gadget is missing'],
    ['gadgets lst', 'Did you mean list?'],
    ['gadgets files lst', "unknown command 'lst'"],
    ['gadget list', 'Did you mean gadgets?'],
    ['logn', 'Did you mean login?'],
    ['api gadget list', 'Did you mean gadgets?'],
    ['api /gadgets --method PURGE', '--method must be one of'],
    ['api /gadgets --field x', '--field must be key=value'],
    ['gadgets show 7 --gadget 1', 'too many arguments'],
  ])('ends `%s` with 2 and a reason', async (line, reason) => {
    const { code, stdout, stderr } = await run(line)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(reason)
    expect(stderr).toMatch(/^stithy: [^\n]+\n$/)
    expect(server.seen).toHaveLength(0)
  })
})
