import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPushedProject } from '../../testing/git/repository.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

describe('GET /projects/:id/languages', () => {
  it('shows the share of each language, the largest first', async () => {
    const files = {
      'a.py': 'x'.repeat(10),
      'b.ts': 'x'.repeat(15),
      'c.ts': 'xxxxx',
      'd.md': 'text',
    }
    const { project } = await buildPushedProject(server, files)
    await server.runJobs()
    const { status, body, text } = await server.inject('GET', `/projects/${project.id}/languages`)
    expect(status).toBe(200)
    expect(body).toEqual({ TypeScript: 66.67, Python: 33.33 })
    expect(text.indexOf('TypeScript')).toBeLessThan(text.indexOf('Python'))
  })

  it('is empty before the first push, and returns 404 when the project is hidden', async () => {
    const open = await server.buildProject({ visibility: 'public' })
    expect((await server.inject('GET', `/projects/${open.id}/languages`)).body).toEqual({})
    const hidden = await server.buildProject()
    expect((await server.inject('GET', `/projects/${hidden.id}/languages`)).status).toBe(404)
    const guest = await server.buildUser()
    await server.addMember(`projects/${hidden.id}`, guest.id, 10)
    const { token } = guest
    const answer = await server.inject('GET', `/projects/${hidden.id}/languages`, { token })
    expect(answer.status).toBe(200)
  })
})
