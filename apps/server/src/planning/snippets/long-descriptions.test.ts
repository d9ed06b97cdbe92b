import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import { recordLongTexts } from '../../testing/long-text-reads.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

const long = 'Lorem ipsum dolor sit amet. '.repeat(3000)

let server: TestServer
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  project = await server.buildProject({ visibility: 'public' })
  const texts = { title: 'Needle', content: 'a', file_name: 'a.md', visibility: 'public' }
  for (const path of ['/snippets', `/projects/${project.id}/snippets`]) {
    for (const description of [long, `${long}!`, 'Short']) {
      await created(server, path, { ...texts, description })
    }
  }
})
afterAll(() => server.close())

/** How many long texts each query has read. */
const read = recordLongTexts(() => server, long.length)

describe('lists of snippets', () => {
  it.each([
    ['own ones', () => '/snippets', 6],
    ['public ones', () => '/snippets/public', 6],
    ['those of a project', () => `/projects/${project.id}/snippets`, 3],
    ['those that are found', () => '/search?scope=snippet_titles&search=needle', 6],
  ])('of %s have whole descriptions, read one at a time', async (_, path, count) => {
    const { status, body } = await server.inject('GET', path(), { token: server.root.token })
    expect(status).toBe(200)
    const texts: string[] = body.map(({ description }: Json) => description)
    const whole = texts.filter((text) => text !== 'Short')
    expect([texts.length, whole.length]).toEqual([count, (2 * count) / 3])
    expect(whole.every((text) => text.startsWith(long))).toBe(true)
    expect(read).toEqual(whole.map(() => 1))
  })
})
