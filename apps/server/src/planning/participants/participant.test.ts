import { insertRow } from '@stithy/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let owner: TestUser
let project: Json
beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser()
  project = await server.buildProject({ visibility: 'public' }, owner)
})
afterAll(() => server.close())

async function send(
  method: string,
  to: string,
  { token }: { token: string },
  body?: object,
): Promise<Json> {
  const answer = await server.inject(method, to, { token, body })
  if (answer.status >= 300) throw new Error(`${method} ${to}: ${answer.status} ${answer.text}`)
  return answer.body
}

const idsOf = (users: Json[]): number[] => users.map((user) => user.id)

/** A merge request without branches, by its path. */
async function buildRequest(authorId: number): Promise<string> {
  const times = { createdAt: server.app.now(), updatedAt: server.app.now() }
  const { iid } = await insertRow(server.app.db, 'mergeRequests', {
    projectId: project.id,
    iid: 1,
    targetBranch: 'main',
    sourceBranch: 'topic',
    sourceProjectId: project.id,
    authorId,
    title: 'Request',
    headSha: 'a'.repeat(40),
    startSha: 'a'.repeat(40),
    ...times,
  })
  return `/projects/${project.id}/merge_requests/${iid}`
}

describe.each(['issues', 'merge_requests'])('GET /projects/:id/%s/:iid/participants', (kind) => {
  it('lists author, assignees, commenters, mentioned users and awarders, each once', async () => {
    const [author, assignee, commenter, named, awarder, noteAwarder] = [
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
    ]
    await server.addMember(`projects/${project.id}`, assignee.id, 30)
    const path =
      kind === 'issues'
        ? `/projects/${project.id}/issues/${(await send('POST', `/projects/${project.id}/issues`, author, { title: 'I' })).iid}`
        : await buildRequest(author.id)
    const participants = async (query = '') =>
      server.inject('GET', `${path}/participants`, { token: owner.token, query })
    expect(idsOf((await participants()).body)).toEqual([author.id])
    if (kind === 'issues') await send('PUT', path, owner, { assignee_ids: [assignee.id] })
    else {
      const [{ id: requestId } = { id: 0 }] = await server.app.db.all('test.requests', {}, (db) =>
        db.selectFrom('mergeRequests').select('id'),
      )
      const link = { requestId, userId: assignee.id }
      await server.app.db.run('test.assign', link, (db, $) =>
        db
          .insertInto('mergeRequestAssignees')
          .values({ mergeRequestId: $('requestId'), userId: $('userId'), position: 0 }),
      )
    }
    const note = await send('POST', `${path}/notes`, commenter, { body: `cc @${named.username}` })
    await send('POST', `${path}/notes`, commenter, { body: 'And more' })
    await send('POST', `${path}/award_emoji`, awarder, { name: 'tada' })
    await send('POST', `${path}/notes/${note.id}/award_emoji`, noteAwarder, { name: 'tada' })
    const expected = [author, assignee, commenter, named, awarder, noteAwarder].map(({ id }) => id)
    const { body, headers } = await participants()
    // Users who only caused a system note do not participate.
    expect(idsOf(body)).toEqual(expected.toSorted((a, b) => a - b))
    expect(headers['x-total']).toBe('6')
    expect(body[0]).toEqual({
      id: author.id,
      name: author.name,
      username: author.username,
      state: 'active',
      avatar_url: null,
      web_url: `http://stithy.test/${author.username}`,
    })
    const second = await participants('per_page=4&page=2')
    expect(idsOf(second.body)).toEqual(idsOf(body).slice(4))
    await send('PUT', `${path}/notes/${note.id}`, commenter, { body: 'cc nobody' })
    expect(idsOf((await participants()).body)).not.toContain(named.id)
    await send('POST', `/users/${awarder.id}/block`, server.root)
    expect(idsOf((await participants()).body)).not.toContain(awarder.id)
  })

  it('returns 404 for unknown or hidden items, 400 for an invalid iid', async () => {
    const closed = await server.buildProject({}, owner)
    const stranger = await server.buildUser()
    const status = async (id: number, iid: string) => {
      const path = `/projects/${id}/${kind}/${iid}/participants`
      return (await server.inject('GET', path, { token: stranger.token })).status
    }
    expect(await status(closed.id, '1')).toBe(404)
    expect(await status(project.id, '999')).toBe(404)
    expect(await status(project.id, 'x')).toBe(400)
  })
})

describe('the participants of a confidential issue', () => {
  it('are the users who may read it, shown only to users who may read it', async () => {
    const stranger = await server.buildUser()
    const path = `/projects/${project.id}/issues`
    const { iid } = await send('POST', path, owner, { title: 'Some' })
    await send('POST', `${path}/${iid}/notes`, stranger, { body: 'Me too' })
    await send('PUT', `${path}/${iid}`, owner, { confidential: true })
    expect(idsOf(await send('GET', `${path}/${iid}/participants`, owner))).toEqual([owner.id])
    const { token } = stranger
    const { status } = await server.inject('GET', `${path}/${iid}/participants`, { token })
    expect(status).toBe(404)
  })
})
