import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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

function run(line: string, input: RunInput = {}) {
  const env = { STITHY_URL: server.url, STITHY_TOKEN: 'tok-123' }
  return cli(line.split(' '), { env, ...input })
}

function lastSeen() {
  const seen = server.seen.at(-1)
  if (seen === undefined) throw new Error('nothing was sent')
  return seen
}

const gadget = { id: 1, name: 'Lamp', state: 'new', owner: { username: 'ann' } }

describe('API commands: requests', () => {
  it('sends the query of a list, with repeated and comma-separated lists, maps and switches', async () => {
    server.respond({ json: [] })
    const { code } = await run(
      'gadgets list --search a --iids 1,2 --iids 3 --labels x,y --states new --custom-attributes k=v=w --archived --per-page 5 --page 2',
    )
    expect(code).toBe(0)
    expect([...new URL(lastSeen().url, server.url).searchParams]).toEqual([
      ['search', 'a'],
      ['iids[]', '1'],
      ['iids[]', '2'],
      ['iids[]', '3'],
      ['labels', 'x,y'],
      ['states[]', 'new'],
      ['custom_attributes[k]', 'v=w'],
      ['archived', 'true'],
      ['page', '2'],
      ['per_page', '5'],
    ])
    expect(lastSeen().headers).toMatchObject({
      authorization: 'Bearer tok-123',
      'user-agent': 'stithy/1.2.3',
    })
  })

  it('sends the JSON body of a write, typed by its contract', async () => {
    server.respond({ status: 201, json: gadget })
    const { code } = await cli(
      [
        ...['gadgets', 'create', '--project', '3', '--name', 'My lamp', '--weight', '7'],
        ...[
          '--labels',
          'a',
          '--labels',
          'b,c',
          '--parts',
          '[{"name":"x"}]',
          '--parts',
          '{"name":"y"}',
          '--due-date',
          '',
        ],
      ],
      { env: { STITHY_URL: server.url } },
    )
    expect(code).toBe(0)
    expect(lastSeen()).toMatchObject({ method: 'POST', url: '/api/v4/projects/3/gadgets' })
    expect(JSON.parse(lastSeen().body)).toEqual({
      name: 'My lamp',
      weight: 7,
      labels: ['a', 'b,c'],
      parts: [{ name: 'x' }, { name: 'y' }],
      due_date: '',
    })
  })

  it('gives a parameter its plain flag where a common option has the same name', async () => {
    server.respond({ status: 201, json: gadget })
    await run(
      `gadgets create --project 1 --name x --url http://hook --token s --stithy-url ${server.url} --stithy-token t2`,
      { env: {} },
    )
    expect(JSON.parse(lastSeen().body)).toEqual({ name: 'x', url: 'http://hook', token: 's' })
    expect(lastSeen().headers.authorization).toBe('Bearer t2')
  })

  it('reads text from a file, from stdin, and with an escaped @', async () => {
    const path = join(folder, 'note.txt')
    await writeFile(path, 'from a file\n')
    server.respond({ json: [] })
    const search = () => new URL(lastSeen().url, server.url).searchParams.get('search')
    await run(`gadgets list --search @${path}`)
    expect(search()).toBe('from a file\n')
    await run('gadgets list --search @-', {
      env: { STITHY_URL: server.url },
      stdin: 'from the input',
    })
    expect(search()).toBe('from the input')
    await run('gadgets list --search @@ann')
    expect(search()).toBe('@ann')
    const missing = await run('gadgets list --search @ann')
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('@@')
  })

  it('sends a file as a form', async () => {
    const path = join(folder, 'a file.bin')
    await writeFile(path, Buffer.from('bytes'))
    server.respond({ status: 201, json: { size: 5 } })
    const { code, stdout } = await cli(
      ['gadgets', 'files', 'create', '--gadget', '1', '--file', path],
      {
        env: { STITHY_URL: server.url },
      },
    )
    expect([code, stdout]).toEqual([0, 'size  5\n'])
    expect(lastSeen().body).toContain('filename="a file.bin"')
    expect(lastSeen().body).toContain('bytes')
  })

  it('selects the endpoint by its parents', async () => {
    server.respond({ json: [] })
    await run('gadgets list --group a/b --deep')
    expect(lastSeen().url).toBe('/api/v4/groups/a%2Fb/gadgets?deep=true')
    server.respond({ status: 204 })
    await run('gadgets delete --group 1 --gadget 2')
    expect(lastSeen()).toMatchObject({ method: 'DELETE', url: '/api/v4/groups/1/gadgets/2' })
  })

  it('sends the same after `stithy api`', async () => {
    server.respond({ json: gadget })
    const direct = await run('gadgets show --gadget 1')
    expect(await run('api gadgets show --gadget 1')).toEqual(direct)
    expect(server.seen.map(({ url }) => url)).toEqual(['/api/v4/gadgets/1', '/api/v4/gadgets/1'])
  })

  it('accepts names of several words in kebab-case', async () => {
    server.respond({ json: ['a', 'b'] })
    const { stdout } = await run('rare-words list-old')
    expect(stdout).toBe('a\nb\n')
    expect(lastSeen().url).toBe('/api/v4/words/old')
  })
})

describe('API commands: output', () => {
  it('writes a list as a table, with a note on further pages', async () => {
    server.respond({
      json: [gadget, { ...gadget, id: 22, name: 'A very long name '.repeat(9), owner: null }],
      headers: { 'x-page': '1', 'x-total-pages': '3', 'x-total': '5', 'x-next-page': '2' },
    })
    const { stdout, stderr } = await run('gadgets list', {
      env: { STITHY_URL: server.url },
      columns: 50,
    })
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^id {2}name +state +owner$/)
    expect(lines[1]).toMatch(/^1 {3}Lamp +new +ann$/)
    expect(lines[2]).toContain('…')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(50)
    expect(stderr).toBe('Page 1 of 3, 5 in total; --page 2 shows the next, --all everything.\n')
  })

  it('writes everything to a pipe', async () => {
    server.respond({ json: [{ id: 1, name: 'x'.repeat(300) }] })
    expect((await run('gadgets list')).stdout).toContain('x'.repeat(300))
  })

  it('writes only a note for an empty list', async () => {
    server.respond({ json: [] })
    const { stdout, stderr, code } = await run('gadgets list')
    expect([stdout, stderr, code]).toEqual(['', 'Nothing found.\n', 0])
  })

  it('writes an object as names and values', async () => {
    server.respond({ json: { ...gadget, tags: ['a', 'b'], parts: [{ x: 1 }], note: null } })
    expect((await run('gadgets show --gadget 1')).stdout.split('\n')).toEqual([
      'id              1',
      'name            Lamp',
      'state           new',
      'owner.username  ann',
      'tags            a, b',
      'parts           [{"x":1}]',
      'note',
      '',
    ])
  })

  it('writes the same data as JSON, and nothing else', async () => {
    server.respond({ json: [gadget], headers: { 'x-next-page': '2' } })
    const { stdout, stderr } = await run('gadgets list --json')
    expect(JSON.parse(stdout)).toEqual([gadget])
    expect(stderr).toBe('')
  })

  it('writes nothing for a response without a body', async () => {
    server.respond({ status: 204 })
    const { stdout, stderr, code } = await run('gadgets delete --gadget 1 --json')
    expect([stdout, stderr, code]).toEqual(['', '', 0])
  })

  it.each([[''], [' --json']])('writes all pages with --all%s, in pages of 100', async (json) => {
    server.respond(({ url }) => {
      const page = Number(new URL(url, server.url).searchParams.get('page') ?? 1)
      return {
        json: page < 4 ? [{ id: page, name: `n${page}` }] : [],
        headers: { 'x-next-page': page < 3 ? String(page + 1) : '' },
      }
    })
    // A parameter of this list is called `all`.
    const { stdout, code } = await run(`gadgets list --stithy-all${json}`)
    expect(code).toBe(0)
    expect(server.seen.map(({ url }) => url.split('?')[1])).toEqual([
      'per_page=100',
      'per_page=100&page=2',
      'per_page=100&page=3',
    ])
    if (json !== '') expect(JSON.parse(stdout)).toHaveLength(3)
    else expect(stdout).toBe('id  name\n1   n1\n2   n2\n3   n3\n')
  })

  it('escapes terminal control sequences', async () => {
    const evil = { id: 1, name: '\u001b]0;pwned\u0007\u009b2J\u202ex\r\ny' }
    server.respond({ json: [evil] })
    const table = await run('gadgets list')
    const json = await run('gadgets list --json')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not come through.
    const dangerous = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/
    expect(table.stdout).not.toMatch(dangerous)
    expect(json.stdout).not.toMatch(dangerous)
    expect(JSON.parse(json.stdout)).toEqual([evil])
  })

  it('writes the exact bytes of a raw response', async () => {
    const body = new Uint8Array([0, 1, 254, 255, 10, 13])
    server.respond({ body })
    expect((await run('gadgets files raw --gadget 1 --file-path a/b')).bytes).toEqual(
      Buffer.from(body),
    )
    expect(lastSeen().url).toBe('/api/v4/gadgets/1/files/a%2Fb/raw')
    const path = join(folder, 'out.bin')
    const { stdout } = await run(`gadgets files raw --gadget 1 --file-path a/b --output ${path}`)
    expect(stdout).toBe('')
    expect(await readFile(path)).toEqual(Buffer.from(body))
    const failed = await run(`gadgets files raw --gadget 1 --file-path a --output ${folder}/none/x`)
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('cannot be written')])
  })
})
