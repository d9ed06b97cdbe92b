import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openTestDatabase, type TestDatabase } from '@stithy/store/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ServerProcess, startServerProcess } from '../src/testing/clients/server-process.ts'
import {
  buildWorkTree,
  commit,
  git,
  mustGit,
  newFolder,
  remoteUrl,
} from '../src/testing/git/git-client.ts'
import type { Json } from '../src/testing/test-server.ts'

// biome-ignore-start lint/style/noNonNullAssertion: a server is there from `beforeEach` on.
const token = 'two-servers-token-0123456789'

/** Two servers on one database and one storage, as in `docs/operation.md`. */
describe.runIf(process.env.STITHY_TEST_DATABASE_URL)('two servers', { timeout: 240_000 }, () => {
  let database: TestDatabase
  let data: string
  let servers: ServerProcess[] = []
  const folders: string[] = []
  let projects = 0

  const start = () =>
    startServerProcess({
      data,
      env: {
        STITHY_ROOT_TOKEN: token,
        STITHY_ROOT_PASSWORD: 'two servers password',
        STITHY_DATABASE_URL: database.url ?? '',
        STITHY_RATE_LIMIT_ANONYMOUS: '0',
      },
    })

  beforeAll(async () => {
    database = await openTestDatabase()
    data = await newFolder()
  })
  beforeEach(async () => {
    servers = servers.filter(({ child }) => child.exitCode === null && child.signalCode === null)
    while (servers.length < 2) servers.push(await start())
  })
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
  })
  afterAll(async () => {
    for (const server of servers) await server.end('SIGKILL')
    await database.close()
    await rm(data, { recursive: true, force: true })
  })

  const server = (index: number) => servers[index % 2]!

  async function call(index: number, method: string, path: string, body?: object): Promise<Json> {
    const answer = await fetch(`${server(index).address}/api/v4${path}`, {
      method,
      headers: { 'private-token': token, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json().catch(() => undefined) }
  }

  /** All pages of a list. */
  async function list(index: number, path: string): Promise<Json[]> {
    const items: Json[] = []
    for (let page = 1; ; page += 1) {
      const { status, body } = await call(index, 'GET', `${path}per_page=100&page=${page}`)
      expect(status).toBe(200)
      items.push(...body)
      if (body.length < 100) return items
    }
  }

  async function createProject(body: object = {}): Promise<Json> {
    projects += 1
    const answer = await call(0, 'POST', '/projects', { name: `shared-${projects}`, ...body })
    expect(answer.status).toBe(201)
    return answer.body
  }

  const urlOf = (index: number, path: string) =>
    remoteUrl(server(index).address, path, 'root', token)

  /** A work tree with branches `branch-0`, … of one commit each; returns the commits. */
  async function buildBranches(count: number): Promise<{ tree: string; tips: string[] }> {
    const tree = await buildWorkTree()
    folders.push(tree)
    const tips: string[] = []
    for (let index = 0; index < count; index += 1) {
      await mustGit(tree, 'switch', '--quiet', '--create', `branch-${index}`, 'main')
      tips.push(await commit(tree, { [`${index}.txt`]: `${index}\n` }, `Commit ${index}`))
    }
    return { tree, tips }
  }

  /** Adds a user who may push to the project and create none; returns a token. */
  async function addPusher(projectId: number): Promise<string> {
    const { body: user } = await call(0, 'POST', '/users', {
      email: 'pusher@example.com',
      username: 'pusher',
      name: 'Pusher',
      password: 'a long password',
      projects_limit: 0,
    })
    const member = { user_id: user.id, access_level: 40 }
    await call(0, 'POST', `/projects/${projectId}/members`, member)
    const { body } = await call(0, 'POST', `/users/${user.id}/impersonation_tokens`, {
      name: 'push',
      scopes: ['api'],
    })
    return body.token
  }

  async function expectEventPerBranch(id: number, names: readonly string[]): Promise<void> {
    const events = await list(1, `/projects/${id}/events?action=pushed&`)
    const created = events
      .filter(({ push_data }) => push_data.action === 'created')
      .map(({ push_data }) => push_data.ref)
    expect(created.toSorted()).toEqual(names.toSorted())
  }

  it('agree on the default branch of a first push through both', async () => {
    for (let round = 0; round < 5; round += 1) {
      const project = await createProject()
      const { tree, tips } = await buildBranches(2)
      await Promise.all(
        tips.map((_, index) =>
          mustGit(tree, 'push', urlOf(index, project.path_with_namespace), `branch-${index}`),
        ),
      )
      const seen = await Promise.all(
        [0, 1].map((index) => call(index, 'GET', `/projects/${project.id}`)),
      )
      const [branch, other] = seen.map(({ body }) => body.default_branch)
      expect(['branch-0', 'branch-1']).toContain(branch)
      expect(other).toBe(branch)
      const head = await mustGit(
        tree,
        'ls-remote',
        '--symref',
        urlOf(0, project.path_with_namespace),
        'HEAD',
      )
      expect(head).toContain(`refs/heads/${branch}\tHEAD`)
      expect(seen.map(({ body }) => body.empty_repo)).toEqual([false, false])
      await expectEventPerBranch(project.id, ['branch-0', 'branch-1'])
    }
  })

  it('agree on a default branch that both set', async () => {
    const project = await createProject()
    const { tree } = await buildBranches(4)
    await mustGit(tree, 'push', urlOf(0, project.path_with_namespace), '--all')
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(
        [0, 1, 2, 3].map((index) =>
          call(index, 'PUT', `/projects/${project.id}`, { default_branch: `branch-${index}` }),
        ),
      )
      const { body } = await call(0, 'GET', `/projects/${project.id}`)
      const head = await mustGit(
        tree,
        'ls-remote',
        '--symref',
        urlOf(1, project.path_with_namespace),
        'HEAD',
      )
      expect(head).toContain(`refs/heads/${body.default_branch}\tHEAD`)
    }
  })

  it('open one merge request between two branches, however it is asked for', async () => {
    const project = await createProject()
    const { tree } = await buildBranches(4)
    await mustGit(tree, 'push', urlOf(0, project.path_with_namespace), '--all')
    const path = `/projects/${project.id}/merge_requests`
    const open = (index: number, target: number) =>
      call(index, 'POST', path, {
        source_branch: 'branch-0',
        target_branch: `branch-${target}`,
        title: 'Change',
      })
    for (let round = 0; round < 5; round += 1) {
      const closed = (await open(0, 1)).body.iid
      const other = (await open(0, 2)).body.iid
      await call(0, 'PUT', `${path}/${closed}`, { state_event: 'close' })
      const answers = await Promise.all([
        open(0, 1),
        open(1, 1),
        call(0, 'PUT', `${path}/${closed}`, { state_event: 'reopen' }),
        call(1, 'PUT', `${path}/${other}`, { target_branch: 'branch-1' }),
      ])
      const statuses = answers.map(({ status }) => status).toSorted()
      expect([200, 201]).toContain(statuses[0])
      expect(statuses.slice(1)).toEqual([409, 409, 409])
      const opened = await list(1, `${path}?state=opened&`)
      expect(opened.filter(({ target_branch }) => target_branch === 'branch-1')).toHaveLength(1)
      for (const { iid } of opened) {
        await call(1, 'PUT', `${path}/${iid}`, { state_event: 'close' })
      }
    }
  })

  it('record each push once while the project is renamed, transferred and picked into', async () => {
    const project = await createProject()
    const { body: group } = await call(0, 'POST', '/groups', { name: 'Shared', path: 'shared' })
    const { tree, tips } = await buildBranches(16)
    await mustGit(tree, 'push', urlOf(0, project.path_with_namespace), 'main')
    const path = () => `/projects/${project.id}`
    const pick = (index: number) =>
      call(index, 'POST', `${path()}/repository/commits/${tips[index]}/cherry_pick`, {
        branch: 'main',
      })
    const secret = await addPusher(project.id)
    const urls = [0, 1].map((index) =>
      remoteUrl(server(index).address, project.path_with_namespace, 'pusher', secret),
    )
    const push = (index: number) => git(tree, 'push', urls[index % 2]!, `branch-${index}`)
    const early = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(push))
    expect(early.map(({ code }) => code)).toEqual(early.map(() => 0))
    const [, , picked, late] = await Promise.all([
      call(0, 'PUT', path(), { path: 'renamed' }),
      call(1, 'PUT', `${path()}/transfer`, { namespace: group.id }),
      Promise.all([0, 1, 2, 3].map(pick)),
      Promise.all([8, 9, 10, 11, 12, 13, 14, 15].map(push)),
    ])
    // Once the project has moved, pushes to its old path are refused.
    const accepted = late.flatMap(({ code }, index) => (code === 0 ? [8 + index] : []))
    const pushed = [0, 1, 2, 3, 4, 5, 6, 7, ...accepted]
    for (const index of [0, 1]) {
      const branches = await list(index, `${path()}/repository/branches?`)
      const tipOf = new Map(branches.map(({ name, commit: { id } }) => [name, id]))
      for (const each of pushed) expect(tipOf.get(`branch-${each}`)).toBe(tips[each])
      expect(branches).toHaveLength(pushed.length + 1)
    }
    await expectEventPerBranch(project.id, ['main', ...pushed.map((index) => `branch-${index}`)])
    const picks = picked.filter(({ status }) => status === 201)
    expect(picks.length).toBeGreaterThan(0)
    const { body: main } = await call(0, 'GET', `${path()}/repository/commits/main`)
    const { body: again } = await call(1, 'GET', `${path()}/repository/commits/main`)
    expect(again.id).toBe(main.id)
    for (const { body } of picks) {
      const { body: refs } = await call(
        0,
        'GET',
        `${path()}/repository/commits/${body.id}/refs?type=branch`,
      )
      expect(refs.map(({ name }: Json) => name)).toContain('main')
    }
  })

  it('fork a project once for each name, complete, while it is pushed to and deleted', async () => {
    const source = await createProject()
    const { tree } = await buildBranches(8)
    await mustGit(tree, 'push', urlOf(0, source.path_with_namespace), 'main')
    const fork = (index: number, name: string) =>
      call(index, 'POST', `/projects/${source.id}/fork`, { name, path: name })
    const pushing = Promise.all(
      [0, 1, 2, 3, 4, 5, 6, 7].map((index) =>
        git(tree, 'push', urlOf(index, source.path_with_namespace), `branch-${index}`),
      ),
    )
    const made = await Promise.all(
      [0, 1, 2].flatMap((round) => [0, 1].map((index) => fork(index, `fork-${round}`))),
    )
    await pushing
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409, 409, 409])
    for (const index of [0, 1]) {
      expect((await call(index, 'GET', `/projects/${source.id}`)).body.forks_count).toBe(3)
    }
    const [last] = await Promise.all([
      fork(0, 'fork-last'),
      call(1, 'DELETE', `/projects/${source.id}`),
    ])
    expect([201, 404]).toContain(last.status)
    const forks = [...made, last].filter(({ status }) => status === 201).map(({ body }) => body)
    for (const [index, { id, path_with_namespace: path }] of forks.entries()) {
      const { body } = await call(index, 'GET', `/projects/${id}`)
      expect([body.default_branch, body.forked_from_project]).toEqual(['main', undefined])
      const clone = await newFolder()
      folders.push(clone)
      await mustGit(clone, 'clone', '--quiet', '--mirror', urlOf(index, path), 'clone.git')
      await mustGit(join(clone, 'clone.git'), 'fsck', '--strict')
      expect((await call(index, 'DELETE', `/projects/${id}`)).status).toBe(202)
    }
  })

  it('see each other’s writes at once', async () => {
    const project = await createProject({ initialize_with_readme: true })
    const path = `/projects/${project.id}/repository`
    for (let round = 0; round < 20; round += 1) {
      const name = `file-${round}.txt`
      const branch = project.default_branch
      const { status } = await call(round, 'POST', `${path}/files/${name}`, {
        branch,
        content: `${round}`,
        commit_message: `Add ${name}`,
      })
      expect(status).toBe(201)
      const { body: commits } = await call(round + 1, 'GET', `${path}/commits?per_page=1`)
      expect(commits[0].title).toBe(`Add ${name}`)
      const files = await list(round + 1, `${path}/tree?`)
      expect(files.map((file) => file.name)).toContain(name)
    }
  })

  it('follow within a second when a setting is changed on the other', async () => {
    const path = '/application/settings'
    const limitOf = async (index: number) => {
      const { body } = await call(index, 'GET', path)
      return [body.default_projects_limit, body.spamfilter_api_key]
    }
    const change = { default_projects_limit: 3, spamfilter_api_key: 'shared secret' }
    expect((await call(0, 'PUT', path, change)).status).toBe(200)
    const expected = [3, '********']
    expect(await limitOf(0)).toEqual(expected)
    await expect.poll(() => limitOf(1), { timeout: 5000, interval: 100 }).toEqual(expected)
    const { body: made } = await call(1, 'POST', '/users', {
      ...{ email: 'limited@example.com', username: 'limited', name: 'Limited' },
      password: 'a long password',
    })
    expect(made.projects_limit).toBe(3)
    await call(1, 'PUT', path, { default_projects_limit: 100_000, spamfilter_api_key: '' })
    await expect.poll(() => limitOf(0), { timeout: 5000, interval: 100 }).toEqual([100_000, null])
  })

  it('lose nothing that was acknowledged when one is killed', async () => {
    const project = await createProject()
    const { tree, tips } = await buildBranches(12)
    await mustGit(tree, 'push', urlOf(0, project.path_with_namespace), 'main')
    const [survivor, victim] = [server(0), server(1)]
    const urls = [survivor, victim].map(({ address }) =>
      remoteUrl(address, project.path_with_namespace, 'root', token),
    )
    const pushes = tips.map(async (_, index) => {
      const result = await git(tree, 'push', urls[index % 2]!, `branch-${index}`)
      return { index, acknowledged: result.code === 0 }
    })
    await Promise.race(pushes.filter((_, index) => index % 2 === 1))
    await victim.end('SIGKILL')
    const results = await Promise.all(pushes)
    // What was interrupted is due two minutes after the last sign of its server.
    await database.run('test.due', {}, (db) =>
      db.updateTable('jobs').set({ runAt: 0, leaseUntil: null }),
    )
    const acknowledged = results.filter((push) => push.acknowledged).map(({ index }) => index)
    expect(acknowledged.length).toBeGreaterThanOrEqual(6)
    servers = [survivor, await start()]
    await expect
      .poll(
        async () => {
          const branches = await list(0, `/projects/${project.id}/repository/branches?`)
          const events = await list(0, `/projects/${project.id}/events?action=pushed&`)
          const refs = events.map(({ push_data }) => push_data.ref)
          return (
            refs.toSorted().join() ===
            branches
              .map(({ name }) => name)
              .toSorted()
              .join()
          )
        },
        { timeout: 120_000, interval: 500 },
      )
      .toBe(true)
    const branches = await list(1, `/projects/${project.id}/repository/branches?`)
    const tipOf = new Map(branches.map(({ name, commit: { id } }) => [name, id]))
    for (const index of acknowledged) expect(tipOf.get(`branch-${index}`)).toBe(tips[index])
    const clone = await newFolder()
    folders.push(clone)
    await mustGit(clone, 'clone', '--quiet', urls[0]!, 'clone')
    await mustGit(join(clone, 'clone'), 'fsck', '--strict')
  })

  it('leave no repository of a project that one deletes while the other is pushed to', async () => {
    const { tree, tips } = await buildBranches(6)
    const project = await createProject()
    const path = project.path_with_namespace
    await mustGit(tree, 'push', urlOf(0, path), 'main')
    const pushes = tips.map((_, index) => git(tree, 'push', urlOf(index, path), `branch-${index}`))
    await Promise.race(pushes)
    const { status } = await call(1, 'DELETE', `/projects/${project.id}`)
    expect(status).toBe(202)
    await Promise.all(pushes)
    for (const index of [0, 1]) {
      expect((await call(index, 'GET', `/projects/${project.id}`)).status).toBe(404)
    }
    await expect
      .poll(async () => countRepositories(), { timeout: 120_000, interval: 500 })
      .toBe((await list(0, '/projects?')).length)
  })

  async function countRepositories(): Promise<number> {
    const entries = await readdir(join(data, 'repositories'), { recursive: true })
    return entries.filter((entry) => entry.endsWith('.git')).length
  }
})
// biome-ignore-end lint/style/noNonNullAssertion: a server is there from `beforeEach` on.
