import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { buildPack, repeatingDelta } from '@stithy/git/testing'
import { findRepository } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { commit, git, mustGit, newFolder, pushedProject } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

const mebibyte = 1024 * 1024
const packet = (line: string) => (line.length + 4).toString(16).padStart(4, '0') + line

let server: TestServer
let project: Json
let tree: string
let remote: string

beforeAll(async () => {
  const gitTransferLimits = { memoryBytes: 64 * mebibyte, cpuSeconds: 60 }
  server = await buildTestServer({ gitTransferLimits })
  ;({ project, tree, remote } = await pushedProject(server))
})
afterAll(() => server.close())

function post(service: string, body: string | Buffer, headers: Record<string, string> = {}) {
  return postTo(server, project, service, body, headers)
}

/** Sends a request on a connection of its own, which an early answer may leave half used. */
async function postTo(
  { url, root }: TestServer,
  { path_with_namespace: path }: Json,
  service: string,
  body: string | Buffer,
  headers: Record<string, string>,
) {
  const request = http.request(`${await url()}/${path}.git/git-${service}`, {
    agent: false,
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`root:${root.token}`)}`, ...headers },
  })
  request.on('error', () => {}).end(body)
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  return { status: answer.statusCode, text: await text(answer) }
}

const version2 = { 'git-protocol': 'version=2' }
const create = (oid: string, ref: string, capabilities = '') =>
  packet(`${'0'.repeat(40)} ${oid} ${ref}\0 report-status side-band-64k${capabilities}`)

describe('a push that needs more memory than a push may use', () => {
  it('is refused with the reason, and leaves nothing behind', async () => {
    const row = await findRepository(server.app.db, project.id)
    if (row === undefined) throw new Error('the project is gone')
    const contents = () => readdir(repositoryOf(server.app, row).path, { recursive: true })
    const before = await contents()
    const block = Buffer.alloc(65_536, 'x')
    const bomb = buildPack([
      { type: 'blob', content: block },
      { base: 0, delta: repeatingDelta(block.length, 1024 * mebibyte) },
    ])
    expect(bomb.length).toBeLessThan(1024)
    const line = `${create('a'.repeat(40), 'refs/heads/bomb')}0000`
    const { status, text: report } = await post(
      'receive-pack',
      Buffer.concat([Buffer.from(line), bomb]),
    )
    expect(status).toBe(200)
    expect(report).toContain('The push needs more memory than the server allows.')
    expect(report).toContain('unpack index-pack abnormal exit')
    expect(report).toContain('ng refs/heads/bomb unpacker error')
    expect(await contents()).toEqual(before)
  })
})

describe('a fetch that needs more memory than it may use', () => {
  it('returns 422', async () => {
    // About what git needs to start.
    const gitTransferLimits = { memoryBytes: mebibyte, cpuSeconds: 60 }
    const small = await buildTestServer({ gitTransferLimits })
    const empty = await small.buildProject()
    const haves = Array.from({ length: 60_000 }, (_, index) =>
      packet(`have ${index.toString(16).padStart(40, '0')}\n`),
    )
    const body = `${packet('command=fetch')}0001${haves.join('')}0000`
    const answer = await postTo(small, empty, 'upload-pack', body, version2)
    await small.close()
    const reason = 'The request takes more time or memory than the server allows.\n'
    expect(answer).toEqual({ status: 422, text: reason })
  })
})

describe('a filter of a partial clone', () => {
  const clone = async (filter: string) =>
    git(
      await newFolder(),
      'clone',
      '--quiet',
      '--no-checkout',
      `--filter=${filter}`,
      remote,
      'copy',
    )

  it.each(['blob:none', 'blob:limit=1k', 'tree:0', 'tree:16'])('may be %s', async (filter) => {
    expect(await clone(filter)).toMatchObject({ code: 0 })
  })

  it.each([
    ['sparse:oid=main:README.md', "filter 'sparse:oid' not supported"],
    ['object:type=commit', "filter 'object:type' not supported"],
    ['combine:blob:none+tree:0', "filter 'combine' not supported"],
    ['tree:17', 'tree filter allows max depth 16, but got 17'],
  ])('may not be %s', async (filter, reason) => {
    const { code, stderr } = await clone(filter)
    expect(code).not.toBe(0)
    expect(stderr).toContain(reason)
  })
})

describe('a push of too much at once', () => {
  it('is refused for its refs, and names the limit', async () => {
    const oid = await commit(tree, {}, 'Many')
    const lines = Array.from({ length: 5001 }, (_, index) => {
      const line = `${'0'.repeat(40)} ${oid} refs/heads/b${index}`
      return packet(index === 0 ? `${line}\0 report-status side-band-64k` : line)
    })
    const answer = await post('receive-pack', `${lines.join('')}0000`)
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('unpack A push can change at most 5000 refs.')
    expect(await mustGit(tree, 'ls-remote', '--heads', remote)).not.toContain('refs/heads/b0')
  })

  it('is refused for its options, and names the limit', async () => {
    const flags = Array.from({ length: 101 }, (_, index) => ['-o', `option-${index}`]).flat()
    const { code, stderr } = await git(tree, 'push', ...flags, remote, 'main:refs/heads/options')
    expect(code).toBe(1)
    expect(stderr).toContain('remote: A push can have at most 100 options of 65536 bytes.')
  })

  it('returns 413 for a head of more than 16 MiB', async () => {
    const shallow = packet(`shallow ${'1'.repeat(40)}`).repeat(360_000)
    expect((await post('receive-pack', shallow)).status).toBe(413)
  })
})
