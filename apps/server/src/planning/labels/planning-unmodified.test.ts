import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let group: Json
beforeAll(async () => {
  server = await buildTestServer()
  group = await server.buildGroup()
  project = await server.buildProject({ namespace_id: group.id })
})
afterAll(() => server.close())

const label = { name: 'held', color: '#123456' }

it.each([
  ['projects', 'labels', label, '/held'],
  ['projects', 'labels', label, '?name=held'],
  ['groups', 'labels', { ...label, name: 'both' }, '/both'],
  ['projects', 'milestones', { title: 'v1' }, undefined],
  ['groups', 'milestones', { title: 'v2' }, undefined],
  ['projects', 'boards', { name: 'Plan' }, undefined],
])('DELETE /%s/:id/%s honors If-Unmodified-Since', async (owner, what, values, rest) => {
  const { token } = server.root
  const parent = owner === 'groups' ? group : project
  const path = `/${owner}/${parent.id}/${what}`
  const { body, status } = await server.inject('POST', path, { token, body: values })
  expect(status).toBe(201)
  const one = `${path}${rest ?? `/${body.id}`}`
  const remove = (since: string) =>
    server.inject('DELETE', one, { token, headers: { 'if-unmodified-since': since } })
  expect((await remove('Sun, 01 Jan 2017 00:00:00 GMT')).status).toBe(412)
  expect((await remove('Fri, 01 Jan 2100 00:00:00 GMT')).status).toBe(204)
})
