import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EpicTreeCalls, epicTreeCalls } from '../../testing/fixtures/epic-tree.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/**
 * Covered here, of the documentation of epic links: listing, creating, assigning, moving and unassigning
 * children; a former parent is left; at most five levels and no cycles; notes on both sides.
 */

let server: TestServer
let api: EpicTreeCalls
beforeAll(async () => {
  server = await buildTestServer()
  api = epicTreeCalls(server)
})
afterAll(() => server.close())

describe('POST /groups/:id/epics/:epic_iid/epics/:child_epic_id', () => {
  it('assigns a child and returns 201 with it', async () => {
    const group = await server.buildGroup()
    const [parent, one, two] = await api.epics(group, 3)
    const answer = await api.assignChild(parent, one)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ id: one.id, parent_id: parent.id, group_id: group.id })
    await api.assignChild(parent, two)
    expect(await api.children(parent)).toEqual([one.id, two.id])
    expect(await api.notesOn(parent)).toEqual([
      `added epic &${one.iid} as child epic`,
      `added epic &${two.iid} as child epic`,
    ])
    expect(await api.notesOn(one)).toEqual([`added epic &${parent.iid} as parent epic`])
  })

  it('takes the child from its former parent', async () => {
    const group = await server.buildGroup()
    const [former, parent, child] = await api.epics(group, 3)
    await api.assignChild(former, child)
    expect((await api.assignChild(parent, child)).body.parent_id).toBe(parent.id)
    expect([await api.children(former), await api.children(parent)]).toEqual([[], [child.id]])
    expect((await api.notesOn(former)).at(-1)).toBe(`removed child epic &${child.iid}`)
  })

  it('takes children from subgroups, but from no other groups', async () => {
    const group = await server.buildGroup()
    const below = await server.buildGroup({ parent_id: group.id })
    const other = await server.buildGroup()
    const parent = await api.epic(group)
    const child = await api.epic(below)
    expect((await api.assignChild(parent, child)).status).toBe(201)
    expect(await api.notesOn(child)).toEqual([
      `added epic ${group.full_path}&${parent.iid} as parent epic`,
    ])
    const up = await api.assignChild(await api.epic(below), parent)
    expect([up.status, up.body]).toEqual([404, { message: '404 Child Epic Not Found' }])
    expect((await api.assignChild(parent, await api.epic(other))).status).toBe(404)
    expect((await api.call('POST', `${parent.path}/epics/999999`)).status).toBe(404)
  })

  it('returns 409 for a child of the epic', async () => {
    const { parent, children } = await api.family(await server.buildGroup(), 1)
    const answer = await api.assignChild(parent, children[0])
    expect([answer.status, answer.body]).toEqual([409, { message: 'Epic(s) already assigned' }])
  })

  it('returns 400 for a cycle', async () => {
    const [top, middle, bottom] = await api.line(await server.buildGroup(), 3)
    for (const [parent, child] of [
      [top, top],
      [bottom, top],
      [bottom, middle],
    ] as const) {
      const answer = await api.assignChild(parent, child)
      const parent_id = ["can't be the epic itself or one below it"]
      expect([answer.status, answer.body]).toEqual(
        // The bottom is the child of the middle.
        [400, { message: { parent_id } }],
      )
    }
    expect(await api.children(bottom)).toEqual([])
  })

  it('returns 400 for more than five levels', async () => {
    const group = await server.buildGroup()
    const five = await api.line(group, 5)
    const parent_id = ['would make more than 5 levels of epics']
    const refusal = [400, { message: { parent_id } }]
    const deep = await api.assignChild(five[4], await api.epic(group))
    expect([deep.status, deep.body]).toEqual(refusal)
    const three = await api.line(group, 3)
    const two = await api.line(group, 2)
    const tall = await api.assignChild(three[2], three[0])
    expect(tall.status).toBe(400)
    expect((await api.assignChild(five[2], three[0])).body).toEqual(refusal[1])
    expect((await api.assignChild(three[2], two[0])).status).toBe(201)
  })

  it('needs the Reporter role in the groups of both, and hides what the caller cannot read', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    const hidden = await server.buildGroup({ parent_id: group.id })
    const [parent, child] = [await api.epic(group), await api.epic(group)]
    const [guest, reporter, stranger] = [
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
    ]
    await server.addMember(`groups/${group.id}`, guest.id, 10)
    await server.addMember(`groups/${group.id}`, reporter.id, 20)
    expect((await api.assignChild(parent, child, guest)).status).toBe(403)
    expect((await api.assignChild(parent, child, stranger)).status).toBe(403)
    expect((await api.assignChild(parent, child, reporter)).status).toBe(201)
    const below = await api.epic(hidden)
    expect((await api.assignChild(below, child, stranger)).status).toBe(404)
    expect((await api.assignChild(parent, below, reporter)).status).toBe(201)
    expect(await api.children(parent, stranger)).toEqual([child.id])
    expect(await api.children(parent, reporter)).toEqual([child.id, below.id])
    const answer = await api.call('GET', `${parent.path}/epics`, stranger)
    expect(answer.headers['x-total']).toBe('1')
    expect(await api.notesOn(parent, stranger)).toHaveLength(1)
  })

  it('keeps the tree without cycles and doubles when calls are concurrent', async () => {
    const group = await server.buildGroup()
    const [a, b, c, child] = await api.epics(group, 4)
    const ring = await Promise.all([
      api.assignChild(a, b),
      api.assignChild(b, c),
      api.assignChild(c, a),
    ])
    expect(ring.map(({ status }) => status).toSorted()).toEqual([201, 201, 400])
    const both = await Promise.all([api.assignChild(a, child), api.assignChild(b, child)])
    expect(both.map(({ status }) => status)).toEqual([201, 201])
    const found = [...(await api.children(a)), ...(await api.children(b))]
    expect(found.filter((id) => id === child.id)).toHaveLength(1)
    const same = await Promise.all([api.assignChild(c, child), api.assignChild(c, child)])
    expect(same.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })
})

describe('POST /groups/:id/epics/:epic_iid/epics', () => {
  it('creates a child and returns 201 with its link', async () => {
    const group = await server.buildGroup()
    const parent = await api.epic(group)
    const body = { title: 'A child' }
    const answer = await api.call('POST', `${parent.path}/epics`, server.root, body)
    expect(answer.status).toBe(201)
    const { id, iid } = answer.body
    expect(answer.body).toEqual({
      ...{ id, iid, title: 'A child', group_id: group.id, parent_id: parent.id },
      ...{ has_children: false, has_issues: false, reference: `&${iid}` },
      url: `http://stithy.test/groups/${group.full_path}/-/epics/${iid}`,
      relation_url: `http://stithy.test/api/v4${parent.path}/epics/${id}`,
    })
    expect(await api.children(parent)).toEqual([id])
    expect(await api.notesOn(parent)).toEqual([`added epic &${iid} as child epic`])
    const unlinked = await api.call('DELETE', answer.body.relation_url.replace(/^.*v4/, ''))
    expect(unlinked.status).toBe(200)
  })

  it('returns 400 without a title and for a sixth level, and 403 to guests', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    const line = await api.line(group, 5)
    const path = `${line[4]?.path}/epics`
    expect((await api.call('POST', path, server.root, {})).body).toEqual({
      error: 'title is missing',
    })
    const deep = await api.call('POST', path, server.root, { title: 'Too deep' })
    expect([deep.status, Object.keys(deep.body.message)]).toEqual([400, ['parent_id']])
    const stranger = await server.buildUser()
    expect((await api.call('POST', path, stranger, { title: 'A child' })).status).toBe(403)
    expect(await api.children(line[4])).toEqual([])
  })
})

describe('DELETE /groups/:id/epics/:epic_iid/epics/:child_epic_id', () => {
  it('unassigns a child and returns 200 with it', async () => {
    const { parent, children } = await api.family(await server.buildGroup(), 1)
    const [child] = children
    const path = `${parent.path}/epics/${child.id}`
    const answer = await api.call('DELETE', path)
    expect([answer.status, answer.body.parent_id]).toEqual([200, null])
    expect(await api.children(parent)).toEqual([])
    expect((await api.notesOn(parent)).at(-1)).toBe(`removed child epic &${child.iid}`)
    expect((await api.notesOn(child)).at(-1)).toBe(`removed parent epic &${parent.iid}`)
    expect((await api.call('DELETE', path)).status).toBe(404)
  })

  it('returns 403 to guests', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    const { parent, ids } = await api.family(group, 1)
    const guest = await server.buildUser()
    expect((await api.call('DELETE', `${parent.path}/epics/${ids[0]}`, guest)).status).toBe(403)
  })
})

describe('the community tier', () => {
  it('returns 403 to calls of epic links', async () => {
    const small = await buildTestServer({ tier: 'community' })
    try {
      const group = await small.buildGroup()
      const { token } = small.root
      expect(
        (await small.inject('GET', `/groups/${group.id}/epics/1/epics`, { token })).status,
      ).toBe(403)
      expect(
        (await small.inject('GET', `/groups/${group.id}/epics/1/issues`, { token })).status,
      ).toBe(403)
    } finally {
      await small.close()
    }
  })
})

describe('POST /groups/:id/epics with a parent', () => {
  it('creates the epic as its last child', async () => {
    const group = await server.buildGroup()
    const { parent, ids } = await api.family(group, 1)
    const below = await server.buildGroup({ parent_id: group.id })
    const body = { title: 'A child', parent_id: parent.id }
    const answer = await api.call('POST', `/groups/${below.id}/epics`, server.root, body)
    expect([answer.status, answer.body.parent_id]).toEqual([201, parent.id])
    expect(await api.children(parent)).toEqual([...ids, answer.body.id])
    expect((await api.notesOn(parent)).at(-1)).toMatch(/^added epic .+&1 as child epic$/)
  })

  it('returns 400 and creates nothing for a sixth level', async () => {
    const group = await server.buildGroup()
    const line = await api.line(group, 5)
    const body = { title: 'Too deep', parent_id: line[4]?.id }
    const answer = await api.call('POST', `/groups/${group.id}/epics`, server.root, body)
    expect([answer.status, Object.keys(answer.body.message)]).toEqual([400, ['parent_id']])
    expect(await api.list(`/groups/${group.id}/epics`)).toHaveLength(5)
  })
})
