/**
 * What keeps the index of an external engine right: of several processes that write to a repository
 * one goes on, and what an interrupted one sends late replaces nothing.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type EngineServer,
  startEngineServer,
} from '../../../testing/search-engine/engine-server.ts'
import { setSetting } from '../../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'
import { searchEngine } from '../engine-choice.ts'
import type { IndexChanges, SearchEngine } from '../search-engine.ts'

let server: TestServer
let remote: EngineServer
let engine: SearchEngine
let projectId: number

beforeAll(async () => {
  server = await buildTestServer()
  remote = await startEngineServer()
  await setSetting(server, 'searchengine_url', remote.url)
  engine = searchEngine(server.app, new AbortController().signal)
  projectId = (await server.buildProject()).id
})
afterAll(async () => {
  await remote.close()
  await server.close()
})

const underWay = { revision: null, target: 'a'.repeat(40) }
const done = { revision: 'a'.repeat(40), target: null }
const part = () => ({ projectId, kind: 'code' as const })

function fileAt(path: string, text: string): IndexChanges {
  const files = [{ path, oid: 'b'.repeat(40), pathText: path, content: Buffer.from(text) }]
  return { paths: [path], files, removedCommits: [], commits: [] }
}

async function texts(text: string): Promise<string[]> {
  const read = engine.search({
    scope: { kind: 'project', projectId },
    subject: 'code_texts',
    caller: { userId: 1, admin: true, external: false } as never,
    today: '2026-01-01',
    text,
  })
  const { candidates } = await read(100)
  return candidates.map(({ path }) => path ?? '')
}

describe('a repository in an external index', () => {
  it('is written to by the process that was first, and others are told', async () => {
    const one = await engine.ensure(part())
    const other = await engine.ensure(part())
    await one.write(underWay, fileAt('x', 'written by one'))
    await expect(other.write(underWay)).rejects.toMatchObject({ code: 'busy' })
    await expect(other.delete()).rejects.toMatchObject({ code: 'busy' })
    await one.write(done)
    expect(await engine.findState(part())).toEqual(done)
    expect(await texts('written')).toEqual(['x'])
  })

  it('keeps what a later step wrote from an earlier one that arrives late', async () => {
    const slow = await engine.ensure(part())
    const paused = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    remote.before = async ({ path, text }) => {
      if (!path.endsWith('_bulk') || !text.includes('from the past')) return
      arrived.resolve()
      await paused.promise
    }
    const late = slow.write(underWay, fileAt('x', 'from the past'))
    await arrived.promise
    const next = await engine.ensure(part())
    const removal = { paths: ['y'], files: [], removedCommits: [], commits: [] }
    await next.write(underWay, fileAt('x', 'the present'))
    await next.write(underWay, removal)
    await next.write(done)
    paused.resolve()
    await expect(late).rejects.toMatchObject({ code: 'busy' })
    await next.write(done)
    expect(await texts('from the past')).toEqual([])
    expect(await texts('the present')).toEqual(['x'])
  })

  it('does not get an index without a definition when that was deleted meanwhile', async () => {
    const open = await engine.ensure(part())
    const indices = remote.calls.find(({ method, path }) => method === 'PUT' && /-v1$/.test(path))
    await fetch(`${remote.url}${indices?.path}`, { method: 'DELETE' })
    await expect(open.write(underWay)).rejects.toMatchObject({ name: 'SearchEngineError' })
    expect(await engine.findState(part())).toBeUndefined()
    const again = await engine.ensure(part())
    await again.write(underWay, fileAt('x', 'found again'))
    await again.write(done)
    expect(await texts('found again')).toEqual(['x'])
    await again.clear()
    expect(await texts('found again')).toEqual([])
    await again.delete()
    expect(await engine.findState(part())).toBeUndefined()
  })
})
