import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

const projectFields = [
  'approvals_before_merge',
  'external_authorization_classification_label',
  'mirror',
  'mirror_overwrites_diverged_branches',
  'mirror_trigger_builds',
  'mirror_user_id',
  'only_mirror_protected_branches',
  'packages_enabled',
]
const limits = ['extra_shared_runners_minutes_limit', 'shared_runners_minutes_limit']

describe.each([
  ['community', false],
  ['premium', true],
] as const)('fields of paid features in the tier %s: %s', (tier, there) => {
  let server: TestServer
  beforeAll(async () => {
    server = await buildTestServer({ tier })
  })
  afterAll(() => server.close())

  /** Returns those of the names that a response contains. */
  async function found(path: string, names: readonly string[]): Promise<string[]> {
    const { status, body } = await server.inject('GET', path, { token: server.root.token })
    expect(status).toBe(200)
    const answer = Array.isArray(body) ? body[0] : body
    return names.filter((name) => name in answer)
  }

  it.each(['', '/1'])('GET /users%s', async (path) => {
    const names = ['note', ...limits]
    expect(await found(`/users${path}`, names)).toEqual(there ? names : [])
  })

  it('GET /projects and /projects/:id', async () => {
    const { id } = await server.buildProject()
    for (const path of ['/projects', `/projects/${id}`]) {
      expect(await found(path, projectFields)).toEqual(there ? projectFields : [])
    }
  })

  it('GET /groups and /groups/:id', async () => {
    const { id } = await server.buildGroup()
    const names = ['file_template_project_id', ...limits]
    expect(await found('/groups', names)).toEqual(there ? names.slice(0, 1) : [])
    expect(await found(`/groups/${id}`, names)).toEqual(there ? names : [])
  })
})
