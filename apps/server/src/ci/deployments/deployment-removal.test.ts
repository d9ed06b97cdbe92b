import { removeDeployments } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import { deleteUser } from '../../testing/delete-user.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const deployment = { environment: 'a', sha: 'HEAD', ref: 'main' }

describe('the end of users and projects', () => {
  it('leaves deployments of a deleted user to the ghost', async () => {
    const leaver = await server.buildUser()
    const project = await server.buildProject({ initialize_with_readme: true })
    await server.addMember(`projects/${project.id}`, leaver.id, 30)
    const path = `/projects/${project.id}/deployments`
    const left = await created(server, path, deployment, leaver)
    await deleteUser(server, leaver.id)
    const shown = await callAs(server, 'GET', `${path}/${left.id}`, server.root.token)
    expect(shown.body.user.username).toMatch(/^ghost/)
  })

  it('removes deployments of a deleted project in batches', async () => {
    const project = await server.buildProject({ initialize_with_readme: true })
    for (let time = 0; time < 3; time += 1) {
      await created(server, `/projects/${project.id}/deployments`, deployment)
    }
    const removed = server.app.db.transaction((tx) =>
      removeDeployments(tx, { projectId: project.id, limit: 2 }),
    )
    expect(await removed).toBe(2)
    await callAs(server, 'DELETE', `/projects/${project.id}`, server.root.token)
    await server.runJobs()
    const args = { id: project.id }
    for (const table of ['deployments', 'environments'] as const) {
      const left = await server.app.db.all(`test.left|${table}`, args, (db, $) =>
        db.selectFrom(table).select('id').where('projectId', '=', $('id')),
      )
      expect([table, left]).toEqual([table, []])
    }
  })
})
