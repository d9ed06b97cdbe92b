import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

interface Issue {
  project: Json
  iid: number
  id: number
  path: string
}

async function issue(project: Json, body: object = {}): Promise<Issue> {
  const path = `/projects/${project.id}/issues`
  const input = { token: server.root.token, body: { title: 'One', ...body } }
  const answer = await server.inject('POST', path, input)
  expect(answer.status).toBe(201)
  const { iid, id } = answer.body
  return { project, iid, id, path: `${path}/${iid}` }
}

function link(source: Issue, target: Issue, token = server.root.token) {
  const body = { target_project_id: target.project.id, target_issue_iid: target.iid }
  return server.inject('POST', `${source.path}/links`, { token, body })
}

async function list({ path }: Issue, token = server.root.token): Promise<Json[]> {
  const answer = await server.inject('GET', `${path}/links`, { token })
  expect(answer.status).toBe(200)
  return answer.body
}

async function systemNotesOn({ path }: Issue): Promise<string[]> {
  const input = { token: server.root.token, query: 'sort=asc' }
  const { body } = await server.inject('GET', `${path}/notes`, input)
  return body.filter(({ system }: Json) => system).map(({ body: text }: Json) => text)
}

describe('POST /projects/:id/issues/:issue_iid/links', () => {
  it('links two issues and returns 201 with both', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const [one, two] = [await issue(project), await issue(project, { title: 'Two' })]
    const answer = await link(one, two)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      source_issue: { id: one.id },
      target_issue: { id: two.id },
    })
    expect(await systemNotesOn(one)).toEqual(['marked this issue as related to #2'])
    expect(await systemNotesOn(two)).toEqual(['marked this issue as related to #1'])
  })

  it('accepts the path of another project, which the system notes contain', async () => {
    const [here, there] = [await server.buildProject(), await server.buildProject()]
    const [one, two] = [await issue(here), await issue(there)]
    const body = { target_project_id: there.path_with_namespace, target_issue_iid: String(two.iid) }
    const input = { token: server.root.token, body }
    expect((await server.inject('POST', `${one.path}/links`, input)).status).toBe(201)
    expect(await systemNotesOn(one)).toEqual([
      `marked this issue as related to ${there.path_with_namespace}#1`,
    ])
  })

  it('returns 409 for a second link from either side, also concurrently', async () => {
    const project = await server.buildProject()
    const [one, two] = [await issue(project), await issue(project)]
    const both = await Promise.all([link(one, two), link(two, one)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect((await link(one, two)).body).toEqual({ message: 'Issue(s) already assigned' })
    expect((await link(two, one)).status).toBe(409)
    expect(await systemNotesOn(one)).toHaveLength(1)
  })

  it('returns 400 for the issue itself and for missing parameters', async () => {
    const project = await server.buildProject()
    const one = await issue(project)
    expect((await link(one, one)).status).toBe(400)
    const input = { token: server.root.token, body: {} }
    const answer = await server.inject('POST', `${one.path}/links`, input)
    expect(answer.body).toEqual({
      error: 'target_project_id is missing, target_issue_iid is missing',
    })
  })

  it('requires Reporter on both issues, and returns 404 for hidden ones', async () => {
    const [open, hidden] = [
      await server.buildProject({ visibility: 'public' }),
      await server.buildProject(),
    ]
    const [one, two] = [await issue(open), await issue(open)]
    const [confidential, other] = [await issue(open, { confidential: true }), await issue(hidden)]
    const [guest, reporter] = [await server.buildUser(), await server.buildUser()]
    await server.addMember(`projects/${open.id}`, guest.id, 10)
    await server.addMember(`projects/${open.id}`, reporter.id, 20)
    expect((await link(one, two, guest.token)).status).toBe(403)
    expect((await link(one, confidential, guest.token)).status).toBe(403)
    const elsewhere = await server.buildProject({ visibility: 'public' })
    const secret = await issue(elsewhere, { confidential: true })
    expect((await link(one, secret, reporter.token)).body).toEqual({
      message: '404 Issue Not Found',
    })
    expect((await link(one, other, reporter.token)).body).toEqual({
      message: '404 Project Not Found',
    })
    await server.addMember(`projects/${hidden.id}`, reporter.id, 10)
    expect((await link(one, other, reporter.token)).status).toBe(403)
    expect((await link({ ...one, path: `${one.path}999` }, two)).status).toBe(404)
    expect((await link(one, { ...two, iid: 999 })).status).toBe(404)
    expect((await link(one, two, reporter.token)).status).toBe(201)
  })
})

describe('GET /projects/:id/issues/:issue_iid/links', () => {
  it('lists the related issues from both sides, oldest link first', async () => {
    const project = await server.buildProject()
    const [one, two, three] = [await issue(project), await issue(project), await issue(project)]
    await link(two, three)
    await link(one, two)
    const related = await list(two)
    expect(related.map(({ id }) => id)).toEqual([three.id, one.id])
    expect(related[0]).toMatchObject({
      issue_link_id: expect.any(Number),
      subscribed: true,
      weight: null,
    })
    expect((await list(one)).map(({ id }) => id)).toEqual([two.id])
  })

  it('lists and counts only issues that the caller may see', async () => {
    const [open, hidden] = [
      await server.buildProject({ visibility: 'public' }),
      await server.buildProject(),
    ]
    const one = await issue(open)
    const visible = await issue(open)
    for (const target of [
      await issue(hidden),
      await issue(open, { confidential: true }),
      visible,
    ]) {
      await link(one, target)
    }
    const { token } = await server.buildUser()
    const answer = await server.inject('GET', `${one.path}/links`, { token })
    expect(answer.body.map(({ id }: Json) => id)).toEqual([visible.id])
    expect(answer.body[0].subscribed).toBe(false)
    expect(answer.headers['x-total']).toBe('1')
    expect(await list(one)).toHaveLength(3)
  })

  it('runs the same number of queries for any length', async () => {
    const project = await server.buildProject()
    const one = await issue(project)
    const cost = async () => {
      const before = server.app.db.stats.queries
      await list(one)
      return server.app.db.stats.queries - before
    }
    const details = { labels: 'a', assignee_ids: [1] }
    await link(one, await issue(project, details))
    const few = await cost()
    for (let i = 0; i < 6; i += 1) await link(one, await issue(project, details))
    expect(await cost()).toBe(few)
    expect(few).toBeLessThanOrEqual(10)
  })
})

describe('DELETE /projects/:id/issues/:issue_iid/links/:issue_link_id', () => {
  it('removes the link and returns 200 with both issues', async () => {
    const project = await server.buildProject()
    const [one, two, three] = [await issue(project), await issue(project), await issue(project)]
    await link(one, two)
    const [found] = await list(two)
    const remove = (from: Issue, token = server.root.token) =>
      server.inject('DELETE', `${from.path}/links/${found?.issue_link_id}`, { token })
    expect((await remove(three)).status).toBe(404)
    const guest = await server.buildUser()
    await server.addMember(`projects/${project.id}`, guest.id, 10)
    expect((await remove(two, guest.token)).status).toBe(403)
    const answer = await remove(two)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      source_issue: { id: two.id },
      target_issue: { id: one.id },
    })
    expect(await list(one)).toEqual([])
    expect((await remove(two)).status).toBe(404)
    expect((await systemNotesOn(one)).at(-1)).toBe('removed the relation with #2')
    expect((await systemNotesOn(two)).at(-1)).toBe('removed the relation with #1')
  })

  it('returns 404 if the other issue is hidden', async () => {
    const [open, hidden] = [await server.buildProject(), await server.buildProject()]
    const [one, two] = [await issue(open), await issue(hidden)]
    await link(one, two)
    const [found] = await list(one)
    const reporter = await server.buildUser()
    await server.addMember(`projects/${open.id}`, reporter.id, 20)
    const path = `${one.path}/links/${found?.issue_link_id}`
    expect((await server.inject('DELETE', path, { token: reporter.token })).status).toBe(404)
  })
})

describe('the community tier', () => {
  it('returns 403 to calls of issue links', async () => {
    const small = await buildTestServer({ tier: 'community' })
    try {
      const project = await small.buildProject()
      const path = `/projects/${project.id}/issues/1/links`
      const answer = await small.inject('GET', path, { token: small.root.token })
      expect(answer.status).toBe(403)
    } finally {
      await small.close()
    }
  })
})
