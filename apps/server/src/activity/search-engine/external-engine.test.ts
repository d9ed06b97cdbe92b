/**
 * What the search of code promises with an external engine that misbehaves: searches beyond a
 * project answer 503, those of a project the same as before, by git, and jobs are repeated until
 * the index is complete. What is secret is in no answer, log or job.
 */
import { createHash, createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import {
  type EngineServer,
  type Interception,
  type ReceivedCall,
  startEngineServer,
} from '../../testing/search-engine/engine-server.ts'
import { setSetting, setSettings } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { enqueueCatchUp } from '../search-index/search-index.jobs.ts'

let server: TestServer
let engine: EngineServer
let project: Json

beforeEach(async () => {
  server = await buildTestServer()
  engine = await startEngineServer()
  project = await server.buildProject()
})
afterEach(async () => {
  await engine.close()
  await server.close()
})

async function commit(file_path: string, content: string): Promise<void> {
  const actions = [{ action: 'create', file_path, content }]
  const body = { branch: 'main', commit_message: `Add ${file_path}`, actions }
  await created(server, `/projects/${project.id}/repository/commits`, body)
}

function search(path: string, scope = 'blobs') {
  const query = new URLSearchParams({ scope, search: 'haystack' })
  return server.inject('GET', `${path}?${query}`, { token: server.root.token })
}

async function found(path = '/search'): Promise<string[]> {
  const { status, body, text } = await search(path)
  if (status !== 200) throw new Error(text)
  return body.map((item: Json) => item.path).toSorted()
}

const unavailable = { message: 'The search engine does not respond' }
const inProject = () => `/projects/${project.id}/search`

async function expectUnavailable(): Promise<void> {
  for (const scope of ['blobs', 'commits', 'wiki_blobs']) {
    const answer = await search('/search', scope)
    expect([scope, answer.status, answer.body]).toEqual([scope, 503, unavailable])
  }
  expect(await found(inProject())).toEqual(['a'])
  expect((await search(inProject(), 'commits')).status).toBe(200)
}

/** All jobs as they are stored. */
async function jobsText(): Promise<string> {
  return JSON.stringify(
    await server.app.db.all('test.jobs', {}, (db) => db.selectFrom('jobs').selectAll()),
  )
}

describe('an external search engine', () => {
  it('is filled, kept up to date and left again by the setting', async () => {
    await commit('a', 'haystack')
    await server.runJobs()
    await setSetting(server, 'searchengine_url', engine.url)
    expect(await found()).toEqual([])
    // A project is searched by git until it is indexed there.
    expect(await found(inProject())).toEqual(['a'])
    await server.runJobs()
    expect(await found()).toEqual(['a'])
    await commit('b', 'haystack')
    await server.runJobs()
    expect(await found()).toEqual(['a', 'b'])
    const before = engine.calls.length
    await setSetting(server, 'searchengine_url', null)
    expect(await found()).toEqual(['a'])
    await server.runJobs()
    expect(await found()).toEqual(['a', 'b'])
    expect(engine.calls.length).toBe(before)
  })

  it('that can be reached at one of its addresses is used', async () => {
    const gone = await startEngineServer()
    await gone.close()
    await setSetting(server, 'searchengine_url', `${gone.url}, ${engine.url}/`)
    await commit('a', 'haystack')
    await server.runJobs()
    expect(await found()).toEqual(['a'])
  })

  it('that is down for a while is filled later', async () => {
    await setSetting(server, 'searchengine_url', engine.url)
    await commit('a', 'haystack')
    await engine.close()
    await server.runJobs()
    await expectUnavailable()
    engine = await startEngineServer(Number(new URL(engine.url).port))
    // It is left alone for some seconds.
    expect((await search('/search')).status).toBe(503)
    expect(engine.calls).toEqual([])
    server.advance(60_000)
    await server.runJobs()
    expect(await found()).toEqual(['a'])
  })

  it('that lost its index is filled by the next look for what is missing', async () => {
    await setSetting(server, 'searchengine_url', engine.url)
    await commit('a', 'haystack')
    await server.runJobs()
    await engine.close()
    engine = await startEngineServer(Number(new URL(engine.url).port))
    server.advance(60_000)
    expect(await found()).toEqual([])
    expect(await found(inProject())).toEqual(['a'])
    await server.app.db.transaction((tx) => enqueueCatchUp(tx, server.app.now()))
    await server.runJobs()
    expect(await found()).toEqual(['a'])
  })

  const answers: Record<string, ReturnType<Interception>> = {
    'refuses the credentials': { status: 401, body: '{"error":{"type":"security_exception"}}' },
    'answers a page': { status: 200, body: '<html>' },
    'answers something else': { status: 200, body: '{"hits":{"hits":[{"_id":1}]},"_source":[]}' },
    'answers too much': { status: 200, body: `{"x":"${'y'.repeat(9 * 1024 * 1024)}"}` },
    'is overloaded': { status: 429, body: '{"error":{"type":"circuit_breaking_exception"}}' },
    'has no node': { status: 503, body: '{"error":{"type":"cluster_block_exception"}}' },
    'redirects elsewhere': { status: 307, body: '', headers: { location: '/elsewhere' } },
    'does not answer': 'hang',
  }
  for (const [name, answer] of Object.entries(answers)) {
    it(`that ${name} is done without, and its secrets stay secret`, async () => {
      const { config, log } = server.app
      const { codeLimits } = config
      const engineTimes = { engineStateMs: 200, engineSearchMs: 200, engineWriteMs: 200 }
      if (answer === 'hang') {
        config.codeLimits = { ...codeLimits, search: { ...codeLimits.search, ...engineTimes } }
      }
      const lines: unknown[] = []
      vi.spyOn(log, 'warn').mockImplementation((...line: unknown[]) => {
        lines.push(line.map((part) => (isErrorLine(part) ? [part, part.err.stack] : part)))
      })
      engine.intercept = () => answer
      const url = engine.url.replace('//', '//someone:open-sesame@')
      await setSetting(server, 'searchengine_url', url)
      await commit('a', 'haystack')
      await server.runJobs()
      await expectUnavailable()
      expect(engine.calls[0]?.headers.authorization).toBe(`Basic ${btoa('someone:open-sesame')}`)
      expect(lines.length).toBeGreaterThan(0)
      const written = JSON.stringify(lines) + (await jobsText())
      expect(written).toContain('search engine')
      for (const secret of ['open-sesame', btoa('someone:open-sesame')]) {
        expect(written).not.toContain(secret)
      }
      expect(engine.calls.map(({ path }) => path)).not.toContain('/elsewhere')
      config.codeLimits = codeLimits
      engine.intercept = () => undefined
      server.advance(60_000)
      await server.runJobs()
      expect(await found()).toEqual(['a'])
    })
  }

  it('gets texts as data, and keeps none', async () => {
    await setSetting(server, 'searchengine_url', engine.url)
    await commit('a', 'haystack "quoted" AND *:* {"x":1}')
    await server.runJobs()
    for (const text of ['"quoted" AND', '*:*', '{"x":1}']) {
      const query = new URLSearchParams({ scope: 'blobs', search: text })
      const { body } = await server.inject('GET', `/search?${query}`, { token: server.root.token })
      expect([text, body.map((item: Json) => item.path)]).toEqual([text, ['a']])
    }
    const searches = engine.calls.filter(({ path }) => path.endsWith('/_search'))
    expect(searches.length).toBeGreaterThan(0)
    expect(searches.map(({ text }) => text).join('')).not.toMatch(/query_string|script|regexp|wild/)
    const written = engine.calls.find(({ path, text }) => path.endsWith('_bulk') && text !== '')
    const id = /"_id":"(file-[^"]+)"/.exec(written?.text ?? '')?.[1]
    const alias = written?.path.split('/')[1]
    const stored = await (await fetch(`${engine.url}/${alias}/_doc/${id}`)).text()
    expect(stored).toContain('"path":"')
    expect(stored).not.toContain('haystack')
  })

  it('at Amazon gets signed requests', async () => {
    await setSettings(server, {
      searchengine_url: `${engine.url}/behind`,
      searchengine_aws: true,
      searchengine_aws_region: 'eu-central-1',
      searchengine_aws_access_key: 'AKEXAMPLE',
      searchengine_aws_secret_access_key: 'a-secret-key',
    })
    await commit('a', 'haystack')
    await server.runJobs()
    expect(await found()).toEqual(['a'])
    expect(new Set(engine.calls.map(({ path }) => path.split('/')[2])).size).toBe(6)
    for (const call of engine.calls) {
      expect(call.headers.authorization).toBe(signatureOf(call, 'eu-central-1', 'a-secret-key'))
      expect(call.target).toMatch(/^\/behind\/stithy-code-[0-9a-f]{16}/)
    }
    expect(JSON.stringify(engine.calls)).not.toContain('a-secret-key')
  })
})

function isErrorLine(part: unknown): part is { err: Error } {
  return typeof part === 'object' && part !== null && 'err' in part
}

/** The authorization of a request by AWS Signature Version 4, as its documentation defines it. */
function signatureOf(call: ReceivedCall, region: string, secret: string): string {
  const { method, target, headers, text } = call
  const hash = (data: string) => createHash('sha256').update(data).digest('hex')
  const hmac = (key: string | Buffer, data: string) =>
    createHmac('sha256', key).update(data).digest()
  const [path = '', query = ''] = target.split('?')
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? ''
  const signed = names.split(';').map((name) => `${name}:${headers[name]}\n`)
  const encode = (part: string) => encodeURIComponent(part).replaceAll('*', '%2A')
  const sortedQuery = [...new URLSearchParams(query)]
    .map(([key, value]) => `${encode(key)}=${encode(value)}`)
    .toSorted()
    .join('&')
  const canonical = [method, path, sortedQuery, signed.join(''), names, hash(text)].join('\n')
  const time = String(headers['x-amz-date'])
  const scope = `${time.slice(0, 8)}/${region}/es/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, hash(canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`)
  const signature = hmac(key, toSign).toString('hex')
  const credential = `Credential=AKEXAMPLE/${scope}`
  return `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`
}
