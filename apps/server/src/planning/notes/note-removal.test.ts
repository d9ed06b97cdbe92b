import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeProject } from '../../directory/projects/change/project-delete.service.ts'
import { buildCommentedProject } from '../../testing/git/commented-project.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await buildTestServer()
  token = server.root.token
})
afterAll(() => server.close())

async function countNotes(projectId: number): Promise<number> {
  const rows = await server.app.db.all('test.notes', { projectId }, (db, $) =>
    db.selectFrom('notes').select('id').where('projectId', '=', $('projectId')),
  )
  return rows.length
}

/** A discussion by a user, with a reply by root. */
async function discuss(by: { token: string }) {
  const { project, second } = await buildCommentedProject(server, { visibility: 'public' })
  const path = `/projects/${project.id}/repository/commits/${second}/discussions`
  const started = await server.inject('POST', path, { token: by.token, body: { body: 'Why?' } })
  const one = `${path}/${started.body.id}`
  const reply = await server.inject('POST', `${one}/notes`, { token, body: { body: 'Because' } })
  expect([started.status, reply.status]).toEqual([201, 201])
  return { project, one }
}

describe('notes of a removed user', () => {
  it.each([
    ['', ['ghost', 'root']],
    ['hard_delete=true', ['root']],
  ])('are moved to the ghost user, or deleted with hard_delete: %j', async (query, authors) => {
    const ada = await server.buildUser()
    const { one } = await discuss(ada)
    expect((await server.inject('DELETE', `/users/${ada.id}`, { token, query })).status).toBe(204)
    await server.runJobs()
    const { body } = await server.inject('GET', one, { token })
    const names = body.notes.map((note: { author: { username: string } }) => note.author.username)
    expect(names).toEqual(authors)
  })
})

describe('notes of a removed project', () => {
  it('are deleted with it', async () => {
    const { project } = await discuss({ token })
    expect(await countNotes(project.id)).toBe(2)
    expect((await server.inject('DELETE', `/projects/${project.id}`, { token })).status).toBe(202)
    await removeProject(server.app, project.id)
    expect(await countNotes(project.id)).toBe(0)
  })
})
