import { findOrphans, findWrongCounts } from '@stithy/store/testing'
import { expect, it } from 'vitest'
import { buildTestServer, type Json } from '../../testing/test-server.ts'

it('DELETE /projects/:id/labels/:name removes a label from more items than fit into a batch', async () => {
  const server = await buildTestServer()
  const { token } = server.root
  const { id } = await server.buildProject({})
  const path = `/projects/${id}`
  const titles = Array.from({ length: 45 }, (_, index) => `Issue ${index}`)
  for (const title of titles) {
    const body = { title, labels: 'bug,other' }
    expect((await server.inject('POST', `${path}/issues`, { token, body })).status).toBe(201)
  }
  expect((await server.inject('DELETE', `${path}/labels/bug`, { token })).status).toBe(204)
  const { body } = await server.inject('GET', `${path}/issues?per_page=100`, { token })
  expect(new Set(body.map((issue: Json) => issue.labels.join()))).toEqual(new Set(['other']))
  const events = await server.inject('GET', `${path}/issues/1/resource_label_events`, { token })
  expect(events.body.map((event: Json) => event.label?.name ?? null).toSorted()).toContain(null)
  const left = await server.inject('GET', `${path}/issues?labels=bug`, { token })
  expect(left.headers['x-total']).toBe('0')
  expect(await findWrongCounts(server.app.db)).toEqual([])
  expect(await findOrphans(server.app.db)).toEqual([])
  await server.close()
})
