import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const inRepository = (project: Json, path: string) => `/projects/${project.id}/repository/${path}`

const get = (project: Json, path: string) =>
  callAs(server, 'GET', inRepository(project, path), server.root.token)

const create = (project: Json, body: object, token = server.root.token) =>
  callAs(server, 'POST', inRepository(project, 'branches'), token, body)

const namesIn = async (project: Json): Promise<string[]> =>
  (await get(project, 'branches')).body.map((branch: Json) => branch.name)

describe('POST /projects/:id/repository/branches in an empty repository', () => {
  it('makes the first commit on the default branch, and the branch from it', async () => {
    const user = await server.buildUser({ name: 'Ada' })
    const project = await server.buildProject({}, user)
    const { status, body } = await create(project, { branch: 'topic', ref: 'master' }, user.token)
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'topic', default: false, merged: false, can_push: true })
    expect(body.commit).toMatchObject({
      title: 'Add README.md',
      message: 'Add README.md',
      parent_ids: [],
      author_name: 'Ada',
      committer_name: 'Ada',
    })
    expect(await namesIn(project)).toEqual(['master', 'topic'])
    const main = (await get(project, 'branches/master')).body
    expect(main).toMatchObject({ default: true, protected: true, commit: { id: body.commit.id } })
    const [file, ...more] = (await get(project, 'tree?ref=topic')).body
    expect([file.path, more]).toEqual(['README.md', []])
    expect((await get(project, 'files/README.md/raw?ref=topic')).text).toBe('')
    const shown = await callAs(server, 'GET', `/projects/${project.id}`, user.token)
    expect(shown.body).toMatchObject({ default_branch: 'master', empty_repo: false })
    const events = await callAs(server, 'GET', `/projects/${project.id}/events`, user.token)
    const pushes = events.body.flatMap((event: Json) => event.push_data ?? [])
    expect(pushes.map((push: Json) => push.ref)).toEqual(['topic', 'master'])
  })

  it('starts with the default branch that was chosen for the project', async () => {
    const project = await server.buildProject({ default_branch: 'trunk' })
    expect((await create(project, { branch: 'topic', ref: 'trunk' })).status).toBe(201)
    expect(await namesIn(project)).toEqual(['topic', 'trunk'])
  })

  it('returns 400 for the default branch itself and for an unknown ref, which then exists or not', async () => {
    const project = await server.buildProject()
    const taken = await create(project, { branch: 'master', ref: 'master' })
    expect([taken.status, taken.body]).toEqual([400, { message: 'Branch already exists' }])
    const other = await server.buildProject()
    const unknown = await create(other, { branch: 'x', ref: 'none' })
    expect([unknown.status, unknown.body]).toEqual([
      400,
      { message: 'Invalid reference name: none' },
    ])
    for (const made of [project, other]) expect(await namesIn(made)).toEqual(['master'])
  })

  it('writes nothing for an invalid name, and when the caller may not push', async () => {
    const project = await server.buildProject()
    expect((await create(project, { branch: 'a b', ref: 'master' })).status).toBe(400)
    const developer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, developer.id, 30)
    const body = { branch: 'x', ref: 'master' }
    expect((await create(project, body, developer.token)).status).toBe(400)
    expect(await namesIn(project)).toEqual([])
    await setSetting(server, 'default_branch_protection', 1)
    expect((await create(project, body, developer.token)).status).toBe(201)
    await setSetting(server, 'default_branch_protection', 2)
  })

  it('makes one first commit in concurrent calls', async () => {
    const project = await server.buildProject()
    const branches = ['a', 'b', 'c']
    const answers = await Promise.all(
      branches.map((branch) => create(project, { branch, ref: 'master' })),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.commit.id)).size).toBe(1)
    expect(await namesIn(project)).toEqual([...branches, 'master'])
  })
})
