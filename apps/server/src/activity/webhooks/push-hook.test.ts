import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type HookFixture,
  hookToken,
  startHookFixture,
} from '../../testing/fixtures/hook-fixture.ts'
import { commit, mustGit } from '../../testing/git/git-client.ts'
import { unrecordedJob } from '../../testing/jobs.ts'
import type { Json } from '../../testing/test-server.ts'
import { pushHooksJob } from './webhook.jobs.ts'

const zeros = '0'.repeat(40)
const signal = new AbortController().signal

let fixture: HookFixture

beforeAll(async () => {
  fixture = await startHookFixture()
})
beforeEach(() => fixture.flush())
afterAll(() => fixture.close())

describe('push hooks', () => {
  it('send body and headers', async () => {
    const { project, tree, push, hook } = await fixture.buildProject()
    const before = await mustGit(tree, 'rev-parse', 'HEAD')
    await hook()
    await mustGit(tree, 'mv', 'a.txt', 'b.txt')
    const second = await commit(tree, { 'c.txt': 'c\n' }, 'Second\n\nBody')
    const third = await commit(tree, { 'c.txt': 'cc\n' }, 'Third')
    await push('main', '-o', 'ci.skip')
    await fixture.server.runJobs()
    const [first] = fixture.receiver.received
    if (first === undefined) throw new Error('nothing was delivered')
    const { headers, body, method } = first
    expect(fixture.receiver.received).toHaveLength(1)
    expect(method).toBe('POST')
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Stithy\/\d/),
      'x-gitlab-event': 'Push Hook',
      'x-stithy-event': 'Push Hook',
      'x-stithy-delivery': expect.stringMatching(/^\d+$/),
    })
    const sent = Buffer.from(String(headers['x-gitlab-token']), 'latin1').toString()
    expect([sent, headers['x-stithy-token']]).toEqual([hookToken, headers['x-gitlab-token']])
    const web = `http://stithy.test/${project.path_with_namespace}`
    const ssh = `git@stithy.test:${project.path_with_namespace}.git`
    const one = (id: string, message: string) => ({
      id,
      message,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      url: `${web}/commit/${id}`,
      author: { name: 'Ada', email: 'ada@example.com' },
    })
    expect(body).toEqual({
      object_kind: 'push',
      event_name: 'push',
      before,
      after: third,
      ref: 'refs/heads/main',
      checkout_sha: third,
      message: null,
      user_id: 1,
      user_name: 'Administrator',
      user_username: 'root',
      user_email: expect.stringContaining('@'),
      user_avatar: null,
      project_id: project.id,
      project: {
        id: project.id,
        name: project.name,
        description: 'For hooks',
        web_url: web,
        avatar_url: null,
        git_ssh_url: ssh,
        git_http_url: `${web}.git`,
        namespace: 'Administrator',
        visibility_level: 20,
        path_with_namespace: project.path_with_namespace,
        default_branch: 'main',
        ci_config_path: null,
        homepage: web,
        url: ssh,
        ssh_url: ssh,
        http_url: `${web}.git`,
      },
      commits: [
        {
          ...one(second, 'Second\n\nBody\n'),
          added: ['b.txt', 'c.txt'],
          modified: [],
          removed: ['a.txt'],
        },
        { ...one(third, 'Third\n'), added: [], modified: ['c.txt'], removed: [] },
      ],
      total_commits_count: 2,
      push_options: { ci: { skip: true } },
      repository: {
        name: project.name,
        url: ssh,
        description: 'For hooks',
        homepage: web,
        git_http_url: `${web}.git`,
        git_ssh_url: ssh,
        visibility_level: 20,
      },
    })
  })

  it('contain the newest 20 commits of a new branch that the default branch lacks', async () => {
    const { tree, push, hook } = await fixture.buildProject()
    await hook()
    await mustGit(tree, 'checkout', '--quiet', '-b', 'topic')
    for (let count = 1; count <= 22; count += 1) await commit(tree, {}, `Step ${count}`)
    await push('topic')
    const [made] = await fixture.delivered()
    expect(made).toMatchObject({ before: zeros, ref: 'refs/heads/topic', total_commits_count: 22 })
    expect(made.commits.map(({ message }: Json) => message.trim())).toEqual(
      Array.from({ length: 20 }, (_, index) => `Step ${index + 3}`),
    )
    // Merged before the body was built; they were new when pushed.
    await mustGit(tree, 'checkout', '--quiet', '-b', 'later')
    await commit(tree, {}, 'Late')
    await push('later')
    await push('later:main')
    const bodies = await fixture.delivered()
    const late = bodies.find(({ ref }) => ref === 'refs/heads/later')
    expect(late.commits.map(({ message }: Json) => message)).toContain('Late\n')
  })

  it('truncate long messages and lists of files', async () => {
    const { tree, push, hook } = await fixture.buildProject()
    await hook()
    const names = Array.from({ length: 1100 }, (_, index) => `file-${index}`)
    const files = Object.fromEntries(names.map((name) => [name, name]))
    await commit(tree, files, 'm'.repeat(100_000))
    await push('main')
    const [{ commits }] = await fixture.delivered()
    expect(commits[0].message).toHaveLength(10 * 1024 + 1)
    expect(commits[0].added).toHaveLength(1000)
  })

  it('contain no commits when a branch is deleted', async () => {
    const { tree, push, hook } = await fixture.buildProject()
    await push('main:gone')
    const tip = await mustGit(tree, 'rev-parse', 'HEAD')
    await hook()
    await push(':gone')
    expect(await fixture.delivered()).toMatchObject([
      {
        object_kind: 'push',
        ref: 'refs/heads/gone',
        before: tip,
        after: zeros,
        checkout_sha: null,
        commits: [],
        total_commits_count: 0,
      },
    ])
  })

  it('are sent as `tag_push` for tags, to hooks that subscribe to them', async () => {
    const { tree, push, hook } = await fixture.buildProject()
    await hook({ tag_push_events: true, push_events: false })
    await hook({ url: `${fixture.receiver.url}/deaf` })
    const tip = await mustGit(tree, 'rev-parse', 'HEAD')
    await mustGit(tree, 'tag', '-a', 'v1', '-m', 'Version 1')
    const tag = await mustGit(tree, 'rev-parse', 'v1')
    await push('v1')
    await fixture.server.runJobs()
    expect(fixture.receiver.received).toMatchObject([
      {
        path: '/hook',
        headers: { 'x-gitlab-event': 'Tag Push Hook' },
        body: {
          object_kind: 'tag_push',
          event_name: 'tag_push',
          ref: 'refs/tags/v1',
          before: zeros,
          after: tag,
          checkout_sha: tip,
          message: 'Version 1',
          commits: [],
          total_commits_count: 0,
        },
      },
    ])
    await fixture.delivered()
    await push(':v1')
    expect(await fixture.delivered()).toMatchObject([{ before: tag, after: zeros, message: null }])
  })

  it('are sent once per pushed ref that passes the branch filter', async () => {
    const { push, hook } = await fixture.buildProject()
    await hook({ push_events_branch_filter: 'release/*' })
    await push('main:release/1', 'main:release/2', 'main:other')
    const refs = (await fixture.delivered()).map(({ ref }) => ref)
    expect(refs.toSorted()).toEqual(['refs/heads/release/1', 'refs/heads/release/2'])
  })

  it('are triggered by commits through the API', async () => {
    const { project, hook } = await fixture.buildProject()
    await hook()
    const actions = [{ action: 'create', file_path: 'x.txt', content: 'x' }]
    const body = { branch: 'main', commit_message: 'By API', actions }
    const path = `/projects/${project.id}/repository/commits`
    const made = await fixture.server.inject('POST', path, {
      token: fixture.server.root.token,
      body,
    })
    expect(made.status).toBe(201)
    const [sent] = await fixture.delivered()
    expect(sent).toMatchObject({ after: made.body.id, commits: [{ added: ['x.txt'] }] })
  })

  it('are sent once however often the job runs, and not to hooks created later', async () => {
    const { project, tree, hook } = await fixture.buildProject()
    await hook()
    const after = await mustGit(tree, 'rev-parse', 'HEAD')
    const payload = {
      key: randomUUID(),
      projectId: project.id,
      userId: 1,
      updates: [{ ref: 'refs/heads/main', before: null, after }],
      options: [],
      pushedAt: fixture.server.app.now(),
      defaultBranch: 'main',
      head: after,
    }
    fixture.server.advance(1000)
    await hook({ url: `${fixture.receiver.url}/late` })
    await Promise.all(
      [1, 2, 3].map(() => pushHooksJob.run(fixture.server.app, payload, signal, unrecordedJob)),
    )
    await pushHooksJob.run(fixture.server.app, payload, signal, unrecordedJob)
    expect(await fixture.delivered()).toHaveLength(1)
    await pushHooksJob.run(
      fixture.server.app,
      { ...payload, projectId: 999_999 },
      signal,
      unrecordedJob,
    )
    const deletedRef = { ref: 'refs/heads/x', before: null, after: '1'.repeat(40) }
    const unknownUser = { ...payload, key: randomUUID(), userId: 999_999, updates: [deletedRef] }
    await pushHooksJob.run(fixture.server.app, unknownUser, signal, unrecordedJob)
    expect(await fixture.delivered()).toMatchObject([
      { checkout_sha: null, user_id: null, commits: [] },
    ])
  })

  it('create no delivery in a project without hooks', async () => {
    const { push } = await fixture.buildProject()
    await push('main:quiet')
    expect(await fixture.delivered()).toEqual([])
  })
})
