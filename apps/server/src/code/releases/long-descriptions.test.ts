import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import { buildTaggedProject } from '../../testing/git/tagged-project.ts'
import { recordLongTexts } from '../../testing/long-text-reads.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

const long = `Mends #1. ${'**Lorem** ipsum. '.repeat(3000)}`

let server: TestServer
let path: string

beforeAll(async () => {
  server = await buildTestServer()
  const { project } = await buildTaggedProject(server, { visibility: 'public' })
  path = `/projects/${project.id}`
  await created(server, `${path}/issues`, { title: 'Mended' })
  for (const [tag_name, description] of [
    ['v1', long],
    ['v2', `${long}!`],
    ['rc/ü', 'Short'],
  ]) {
    await created(server, `${path}/releases`, { tag_name, description })
    server.advance(1000)
  }
})
afterAll(() => server.close())

/** How many long texts each query has read. */
const read = recordLongTexts(() => server, long.length)

const get = (address: string, query = '') =>
  server.inject('GET', `${path}${address}`, { token: server.root.token, query })

describe('GET /projects/:id/releases', () => {
  it('reads long descriptions one at a time, and renders them as the release alone', async () => {
    const { status, body, headers } = await get('/releases')
    expect(status).toBe(200)
    expect(body.map(({ description }: Json) => description)).toEqual(['Short', `${long}!`, long])
    expect(read).toEqual([1, 1, 1, 1])
    for (const { tag_name: tag, description_html: html } of body) {
      const one = await get(`/releases/${encodeURIComponent(tag)}`)
      expect(html).toBe(one.body.description_html)
      expect(html).toContain(tag === 'rc/ü' ? 'Short' : 'title="Mended"')
    }
    expect(headers.etag).toBeUndefined()
  })

  it('has an entity tag if it shows short descriptions alone', async () => {
    const { body, headers } = await get('/releases', 'per_page=1')
    expect(body).toMatchObject([{ description: 'Short' }])
    expect(headers.etag).toMatch(/^W\//)
    expect(read).toEqual([])
  })
})

describe('GET /projects/:id/repository/tags', () => {
  it('reads long descriptions of releases one at a time', async () => {
    const { body, headers } = await get('/repository/tags', 'order_by=name&sort=desc')
    const descriptions = body.flatMap(({ release }: Json) => release?.description ?? [])
    expect(descriptions).toEqual([`${long}!`, long, 'Short'])
    expect(read).toEqual([1, 1])
    expect(headers.etag).toBeUndefined()
    const { body: one } = await get('/repository/tags/v1')
    expect(one.release).toEqual({ tag_name: 'v1', description: long })
  })
})
