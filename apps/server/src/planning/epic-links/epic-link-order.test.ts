import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type EpicTreeCalls,
  epicTreeCalls,
  type TestEpic,
} from '../../testing/fixtures/epic-tree.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let api: EpicTreeCalls
beforeAll(async () => {
  server = await buildTestServer()
  api = epicTreeCalls(server)
})
afterAll(() => server.close())

describe('PUT /groups/:id/epics/:epic_iid/epics/:child_epic_id', () => {
  async function move(parent: TestEpic, id: number, body: object, by?: { token: string }) {
    return api.call('PUT', `${parent.path}/epics/${id}`, by, body)
  }

  it('moves a child before, after or between siblings and returns all in their order', async () => {
    const { parent, ids } = await api.family(await server.buildGroup(), 4)
    const [a, b, c, d] = ids
    const before = await move(parent, d, { move_before_id: b })
    expect(before.status).toBe(200)
    expect(before.body.map(({ id }: Json) => id)).toEqual([a, d, b, c])
    await move(parent, a, { move_after_id: b })
    expect(await api.children(parent)).toEqual([d, b, a, c])
    const both = { move_after_id: d, move_before_id: b }
    expect((await move(parent, c, both)).body.map(({ id }: Json) => id)).toEqual([d, c, b, a])
  })

  it('leaves updated_at alone', async () => {
    const { parent, children, ids } = await api.family(await server.buildGroup(), 2)
    const read = async (epic: TestEpic) => (await api.call('GET', epic.path)).body.updated_at
    const all = () => Promise.all([parent, ...children].map(read))
    const before = await all()
    server.advance(60_000)
    await move(parent, ids[1] ?? 0, { move_before_id: ids[0] })
    expect(await all()).toEqual(before)
  })

  it('returns 400 for itself, nothing, and siblings that are not neighbours', async () => {
    const { parent, ids } = await api.family(await server.buildGroup(), 4)
    const [a, b, c, d] = ids
    const error = [400, { message: { error: 'Epic could not be moved!' } }]
    for (const body of [
      { move_before_id: a },
      { move_after_id: b, move_before_id: d },
      { move_after_id: c, move_before_id: b },
      { move_after_id: b, move_before_id: b },
    ]) {
      const answer = await move(parent, a, body)
      expect([answer.status, answer.body]).toEqual(error)
    }
    expect((await move(parent, a, {})).status).toBe(400)
    expect(await api.children(parent)).toEqual(ids)
  })

  it('returns 404 for a sibling that is none, or hidden', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    const hidden = await server.buildGroup()
    const { parent, ids } = await api.family(group, 2)
    const [a, b] = ids
    const other = await api.epic(group)
    expect((await move(parent, other.id, { move_before_id: a })).status).toBe(404)
    expect((await move(parent, a, { move_before_id: other.id })).status).toBe(404)
    expect((await move(parent, a, { move_before_id: (await api.epic(hidden)).id })).status).toBe(
      404,
    )
    const guest = await server.buildUser()
    expect((await move(parent, a, { move_after_id: b }, guest)).status).toBe(403)
    expect(await api.children(parent)).toEqual(ids)
  })

  it('keeps all children when moves are concurrent', async () => {
    const { parent, ids } = await api.family(await server.buildGroup(), 6)
    const [first] = ids
    const moves = await Promise.all(
      ids.slice(1).map((id: number) => move(parent, id, { move_before_id: first })),
    )
    expect(moves.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const after = await api.children(parent)
    expect(after.at(-1)).toBe(first)
    expect(after.toSorted((a, b) => a - b)).toEqual(ids)
  })
})

describe('GET /groups/:id/epics/:epic_iid/epics', () => {
  it('pages through the children with the same number of queries for any length', async () => {
    const group = await server.buildGroup()
    const { parent, ids } = await api.family(group, 1)
    const read = () => api.children(parent)
    const few = await api.queriesOf(read)
    for (const child of await api.epics(group, 5)) {
      await api.assignChild(parent, child)
      ids.push(child.id)
    }
    expect(await api.queriesOf(read)).toBe(few)
    expect(few).toBeLessThanOrEqual(7)
    const answer = await api.call('GET', `${parent.path}/epics?per_page=4&page=2`)
    expect(answer.body.map(({ id }: Json) => id)).toEqual(ids.slice(4))
    expect(answer.headers).toMatchObject({ 'x-total': '6', 'x-total-pages': '2' })
  })

  it('is also served where newer clients look', async () => {
    const { parent, ids } = await api.family(await server.buildGroup(), 2)
    const answer = await api.call('GET', `${parent.path}/links`)
    expect(answer.body.map(({ id }: Json) => id)).toEqual(ids)
  })
})

describe('quick actions of epics', () => {
  async function comment(epic: TestEpic, body: string, by?: { token: string }) {
    const answer = await api.call('POST', `/groups/${epic.groupId}/epics/${epic.id}/notes`, by, {
      body,
    })
    expect([201, 202, 400]).toContain(answer.status)
  }

  it('/child_epic and /remove_child_epic change the children, for reporters', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    const [parent, child] = await api.epics(group, 2)
    const guest = await server.buildUser()
    await comment(parent, `/child_epic &${child.iid}`, guest)
    expect(await api.children(parent)).toEqual([])
    await comment(parent, `/child_epic &${child.iid}`)
    expect(await api.children(parent)).toEqual([child.id])
    await comment(parent, `/remove_child_epic &${child.iid}`, guest)
    expect(await api.children(parent)).toEqual([child.id])
    await comment(parent, `/remove_child_epic &${child.iid}`)
    expect(await api.children(parent)).toEqual([])
  })

  it('/parent_epic and /remove_parent_epic change the parent, and ignore what is impossible', async () => {
    const group = await server.buildGroup()
    const [parent, child] = await api.epics(group, 2)
    await comment(child, `/parent_epic &${parent.iid}`)
    expect(await api.children(parent)).toEqual([child.id])
    await comment(parent, `/parent_epic &${child.iid}`)
    await comment(child, `/parent_epic &${child.iid}`)
    await comment(child, '/parent_epic &999')
    expect([await api.children(parent), await api.children(child)]).toEqual([[child.id], []])
    await comment(child, '/remove_parent_epic')
    await comment(child, '/remove_parent_epic')
    expect(await api.children(parent)).toEqual([])
  })
})
