import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { takeSession } from '../../directory/authentication/handed-session.ts'
import { permissionCheckHeaders } from '../../platform/http/internal-call.ts'
import { apiFetch, pagesOrigin } from './api-fetch.ts'

const server = fastify()
const long = 'ä'.repeat(300_000)
/** Calls that were handled in this turn of the event loop, and before. */
let inTurn = 0
let most = 0
server.get('/count', async () => {
  inTurn += 1
  most = Math.max(most, inTurn)
  setImmediate(() => {
    inTurn = 0
  })
  return { inTurn }
})
server.get('/long', async () => ({ long }))
server.get('/none', async (_, reply) => reply.code(204).send())
beforeAll(async () => {
  await server.ready()
})
afterAll(() => server.close())

server.all('/session', async (request) => ({ handed: takeSession(request) !== undefined }))

const call = apiFetch(server, { cookies: {}, headers: {}, ip: '127.0.0.1' } as never, undefined)
const get = (path: string) => call(pagesOrigin + path, { headers: { accept: 'application/json' } })

describe('apiFetch', () => {
  it('answers with the text of the API', async () => {
    const answer = await get('/long')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
    ])
    expect(JSON.parse(await answer.text())).toEqual({ long })
    const none = await get('/none')
    expect([none.status, await none.text()]).toEqual([204, ''])
  })

  it('hands its session on until a call writes; to ask for permission is no write', async () => {
    const page = { cookies: {}, headers: {}, ip: '127.0.0.1' } as never
    const own = apiFetch(server, page, { csrfToken: 'token' } as never)
    const handed = async (method: string, headers = {}) => {
      const answer = await own(`${pagesOrigin}/session`, { method, headers })
      return JSON.parse(await answer.text()).handed
    }
    expect(await handed('GET')).toBe(true)
    expect(await handed('POST', permissionCheckHeaders)).toBe(true)
    expect(await handed('GET')).toBe(true)
    expect(await handed('POST')).toBe(false)
    expect(await handed('GET')).toBe(false)
  })

  it('makes calls that take long in turns of the event loop of their own', async () => {
    await new Promise(setImmediate)
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 11
      return now
    })
    await Promise.all(Array.from({ length: 5 }, () => get('/count')))
    vi.restoreAllMocks()
    expect(most).toBe(1)
  })
})
