import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HookFixture, startHookFixture } from '../../testing/fixtures/hook-fixture.ts'
import { mustGit } from '../../testing/git/git-client.ts'

const zeros = '0'.repeat(40)

let fixture: HookFixture

beforeAll(async () => {
  fixture = await startHookFixture()
})
beforeEach(() => fixture.flush())
afterAll(() => fixture.close())

describe('pipeline hooks', () => {
  it('are triggered by every status change, with the status at that time', async () => {
    const { project, tree, hook } = await fixture.buildProject()
    await hook({ pipeline_events: true, push_events: false })
    const sha = await mustGit(tree, 'rev-parse', 'HEAD')
    const report = async (state: string, name: string) => {
      const path = `/projects/${project.id}/statuses/${sha}`
      const input = { token: fixture.server.root.token, body: { state, name } }
      expect((await fixture.server.inject('POST', path, input)).status).toBe(201)
    }
    await report('pending', 'unit')
    await report('running', 'unit')
    await report('running', 'lint')
    await report('success', 'lint')
    await report('success', 'unit')
    const bodies = await fixture.delivered()
    const statuses = bodies.map(({ object_attributes }) => object_attributes.status)
    expect(statuses.toSorted()).toEqual(['pending', 'running', 'success'])
    const body = bodies.find(({ object_attributes }) => object_attributes.status === 'success')
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
    expect(body).toMatchObject({
      object_kind: 'pipeline',
      object_attributes: {
        id: expect.any(Number),
        ref: 'main',
        tag: false,
        sha,
        before_sha: zeros,
        detailed_status: 'passed',
        stages: ['external'],
        created_at: time,
        finished_at: time,
        duration: expect.any(Number),
        variables: [],
      },
      user: { name: 'Administrator', username: 'root', avatar_url: null },
      project: { id: project.id, path_with_namespace: project.path_with_namespace },
      commit: { id: sha, message: 'Initial commit\n' },
      builds: [],
    })
    expect(body.project).not.toHaveProperty('homepage')
  })
})

describe('comment hooks for commits', () => {
  it('are sent as `note`, with the diff of the commented file', async () => {
    const { project, tree, hook } = await fixture.buildProject()
    await hook({ note_events: true, push_events: false })
    const sha = await mustGit(tree, 'rev-parse', 'HEAD')
    const path = `/projects/${project.id}/repository/commits/${sha}/comments`
    const comment = (body: object) =>
      fixture.server.inject('POST', path, { token: fixture.server.root.token, body })
    expect((await comment({ note: 'See ![x](/uploads/1/x.png)' })).status).toBe(201)
    await fixture.server.runJobs()
    const web = `http://stithy.test/${project.path_with_namespace}`
    const [plain] = fixture.receiver.received
    expect(plain?.headers['x-gitlab-event']).toBe('Note Hook')
    expect(plain?.body).toMatchObject({
      object_kind: 'note',
      event_type: 'note',
      user: { username: 'root' },
      project_id: project.id,
      project: { id: project.id, homepage: web },
      repository: { homepage: web },
      object_attributes: {
        id: expect.any(Number),
        note: 'See ![x](/uploads/1/x.png)',
        description: `See ![x](${web}/uploads/1/x.png)`,
        noteable_type: 'Commit',
        noteable_id: null,
        author_id: 1,
        created_at: expect.stringMatching(/ UTC$/),
        updated_at: expect.stringMatching(/ UTC$/),
        project_id: project.id,
        attachment: null,
        line_code: null,
        commit_id: sha,
        system: false,
        st_diff: null,
        position: null,
        discussion_id: expect.stringMatching(/^[0-9a-f]{40}$/),
        url: expect.stringMatching(new RegExp(`/commit/${sha}#note_\\d+$`)),
      },
      commit: { id: sha, author: { name: 'Ada' } },
    })
    await fixture.delivered()
    await comment({ note: 'Here', path: 'a.txt', line: 1, line_type: 'new' })
    const [placed] = await fixture.delivered()
    expect(placed.object_attributes).toMatchObject({
      type: 'DiffNote',
      line_code: expect.stringMatching(/^[0-9a-f]{40}_\d+_1$/),
      st_diff: { new_path: 'a.txt', new_file: true, diff: expect.stringContaining('+a') },
      position: { new_path: 'a.txt', new_line: 1 },
    })
  })
})
