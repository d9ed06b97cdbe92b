import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown) =>
  callAs(server, method, path, server.root.token, body)

const made = (path: string, body: object) => created(server, path, body)

describe('labels of a project that is transferred', () => {
  it('stay on its issues: as labels of the new groups, or as its own', async () => {
    const [old, next] = [await server.buildGroup(), await server.buildGroup()]
    const project = await server.buildProject({ namespace_id: old.id })
    const path = `/projects/${project.id}`
    const color = '#123456'
    for (const name of ['gone', 'there', 'both'])
      await made(`/groups/${old.id}/labels`, { name, color })
    const there = await made(`/groups/${next.id}/labels`, { name: 'there', color: '#ffffff' })
    const labels = 'gone,there,both'
    const issue = await made(`${path}/issues`, { title: 'a', labels })
    const { id: boardId } = await made(`${path}/boards`, { name: 'Development' })
    const inherited = (await call('GET', `${path}/labels/gone`)).body
    await made(`${path}/boards/${boardId}/lists`, { label_id: inherited.id })
    const moved = await call('PUT', `${path}/transfer?namespace=${next.id}`)
    expect(moved.status, moved.text).toBe(200)
    const actual = (await call('GET', `${path}/issues/${issue.iid}`)).body
    expect(actual.labels).toEqual(['both', 'gone', 'there'])
    const own = (await call('GET', `${path}/labels`)).body
    expect(
      own.map((label: Json) => [label.name, label.is_project_label, label.open_issues_count]),
    ).toEqual([
      ['both', true, 1],
      ['gone', true, 1],
      ['there', false, 1],
    ])
    expect(own[2].id).toBe(there.id)
    const events = (await call('GET', `${path}/issues/${issue.iid}/resource_label_events`)).body
    expect(events.map((event: Json) => event.label.id).toSorted()).toEqual(
      own.map((label: Json) => label.id).toSorted(),
    )
    const [list] = (await call('GET', `${path}/boards/${boardId}/lists`)).body
    expect(list.label).toMatchObject({ id: own[1].id, color })
    const left = (await call('GET', `/groups/${old.id}/labels`)).body
    expect(left.map((label: Json) => label.open_issues_count)).toEqual([0, 0, 0])
    expect((await call('PUT', `${path}/issues/${issue.iid}`, { labels: '' })).body.labels).toEqual(
      [],
    )
  })

  it('are replaced on boards, in priorities and in label events', async () => {
    const [old, next] = [await server.buildGroup(), await server.buildGroup()]
    const project = await server.buildProject({ namespace_id: old.id })
    const path = `/projects/${project.id}`
    const color = '#123456'
    for (const name of ['scope', 'taken']) await made(`/groups/${old.id}/labels`, { name, color })
    const board = await made(`${path}/boards`, { name: 'Development' })
    await call('PUT', `${path}/boards/${board.id}`, { labels: 'scope' })
    const issue = await made(`${path}/issues`, { title: 'a', labels: 'taken' })
    await call('PUT', `${path}/issues/${issue.iid}`, { labels: '' })
    await call('PUT', `${path}/transfer?namespace=${next.id}`)
    const own = (await call('GET', `${path}/labels`)).body.map((label: Json) => label.id)
    expect(own).toHaveLength(2)
    const { labels } = (await call('GET', `${path}/boards/${board.id}`)).body
    const events = (await call('GET', `${path}/issues/${issue.iid}/resource_label_events`)).body
    const actual = [...labels, ...events.map((event: Json) => event.label)]
    expect(actual.map((label: Json) => label.name)).toEqual(['scope', 'taken', 'taken'])
    expect(actual.every((label: Json) => own.includes(label.id))).toBe(true)
  })
})
