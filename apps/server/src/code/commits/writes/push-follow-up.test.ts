import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type CommitHelpers,
  commitHelpers,
  create,
} from '../../../testing/clients/commit-helpers.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let project: Json
let commits: CommitHelpers

beforeAll(async () => {
  server = await buildTestServer()
  commits = commitHelpers(server)
})
beforeEach(async () => {
  project = await server.buildProject()
})
afterAll(() => server.close())

async function call(method: string, path: string, body?: object): Promise<Json> {
  const { token } = server.root
  const full = `/projects/${project.id}/repository/${path}`
  const answer = await server.inject(method, full, body ? { token, body } : { token })
  expect(answer.status).toBeLessThan(300)
  return answer.body
}

/** `push_data` of the events, oldest first. */
async function pushes(): Promise<Json[]> {
  const { body } = await server.inject('GET', `/projects/${project.id}/events`, {
    token: server.root.token,
    query: 'action=pushed&sort=asc',
  })
  return body.map((event: Json) => event.push_data)
}

describe('the effects of a commit through the API', () => {
  it('include an event with push_data for each commit', async () => {
    const first = await commits.must(project.id, [create('a')], { commit_message: 'First\n\nx' })
    const topic = await commits.must(project.id, [create('b')], {
      branch: 'topic',
      start_branch: 'main',
      commit_message: 'Topic',
    })
    const file = { branch: 'main', content: 'x', commit_message: 'A file' }
    await call('POST', 'files/c', file)
    await call('POST', `commits/${topic.id}/cherry_pick`, { branch: 'main' })
    await call('POST', 'commits/main/revert', { branch: 'main' })
    const found = await pushes()
    expect(found[0]).toEqual({
      commit_count: 1,
      action: 'created',
      ref_type: 'branch',
      commit_from: null,
      commit_to: first.id,
      ref: 'main',
      commit_title: 'First',
    })
    expect(
      found.map((push) => [push.action, push.ref, push.commit_title, push.commit_count]),
    ).toEqual([
      ['created', 'main', 'First', 1],
      ['created', 'topic', 'Topic', 1],
      ['pushed', 'main', 'A file', 1],
      ['pushed', 'main', 'Topic', 1],
      ['pushed', 'main', 'Revert "Topic"', 1],
    ])
    for (const [index, push] of found.entries()) {
      if (index > 2) expect(push.commit_from).toBe(found[index - 1].commit_to)
    }
  })

  it('are absent after a refusal', async () => {
    await commits.must(project.id, [create('a')])
    await commits.send(project.id, [create('a')])
    await commits.send(project.id, [create('b')], { branch: 'none' })
    expect(await pushes()).toHaveLength(1)
  })

  it('include the commit count and the readme', async () => {
    await commits.must(project.id, [create('README.md')])
    await commits.must(project.id, [create('b')])
    await server.runJobs()
    const { body } = await server.inject('GET', `/projects/${project.id}`, {
      token: server.root.token,
      query: 'statistics=true',
    })
    expect(body).toMatchObject({ empty_repo: false, statistics: { commit_count: 2 } })
    expect(body.readme_url).toMatch(/README\.md$/)
  })
})

describe('concurrent writers to one branch', () => {
  it('lose no commit: the later one gets a 400', async () => {
    await commits.must(project.id, [create('start')])
    const names = Array.from({ length: 20 }, (_, index) => `file${index}`)
    const answers = await Promise.all(
      names.map((name) => commits.send(project.id, [create(name)], { commit_message: name })),
    )
    const won = names.filter((_, index) => answers[index]?.status === 201)
    expect(won.length).toBeGreaterThan(0)
    expect(won.length).toBeLessThan(20)
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, body.message]).toEqual([
        400,
        expect.stringMatching(/changed in the meantime/),
      ])
    }
    expect(Object.keys(await commits.files(project.id))).toEqual([...won, 'start'].toSorted())
    const history = await call('GET', 'commits?per_page=100')
    expect(history.map((commit: Json) => commit.title).toSorted()).toEqual(
      ['Change', ...won].toSorted(),
    )
    const events = (await pushes()).map((push) => push.commit_title)
    expect(events.toSorted()).toEqual(['Change', ...won].toSorted())
  })

  it('all succeed on separate branches', async () => {
    await commits.must(project.id, [create('start')])
    const names = Array.from({ length: 20 }, (_, index) => `branch${index}`)
    const answers = await Promise.all(
      names.map((branch) =>
        commits.send(project.id, [create('a')], { branch, start_branch: 'main' }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(Object.keys(await commits.tips(project.id))).toEqual(['main', ...names].toSorted())
  })
})

describe('creating a commit', () => {
  it('starts no more git processes than necessary', async () => {
    await commits.must(project.id, [create('a'), create('b/c/d')])
    await commits.must(project.id, [create('e')])
    const count = async (work: () => Promise<unknown>) => {
      const before = server.app.git.spawnCount
      await work()
      return server.app.git.spawnCount - before
    }
    const change = [{ action: 'update', file_path: 'b/c/d', content: 'new' }, create('f')]
    // One moves the branch, one counts the lines for the stats.
    expect(await count(() => commits.must(project.id, change))).toBe(2)
    expect(await count(() => commits.must(project.id, [create('g')], { stats: false }))).toBe(1)
    const file = { branch: 'main', content: 'x', commit_message: 'm' }
    expect(await count(() => call('POST', 'files/h', file))).toBe(1)
  })
})
