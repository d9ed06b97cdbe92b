import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { commit, mustGit, newFolder, pushedProject } from '../../testing/git/git-client.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

/**
 * The git processes that `work` takes: those of the server, and those that they start, which git
 * reports in its trace.
 */
async function processesOf(work: () => Promise<unknown>): Promise<string[]> {
  const trace = join(await newFolder(), 'trace')
  const { spawner } = server.app.git.parts
  const start = spawner.start.bind(spawner)
  const started: string[] = []
  const spied = vi.spyOn(spawner, 'start').mockImplementation((options) => {
    started.push(options.args.join(' '))
    return start({ ...options, env: { ...options.env, GIT_TRACE2_EVENT: trace } })
  })
  await work()
  spied.mockRestore()
  const events = readFileSync(trace, 'utf8').trimEnd().split('\n')
  const children = events
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === 'child_start')
  return [...started, ...children.map(({ argv }) => argv.join(' '))]
}

const commandsOf = (processes: readonly string[]) => processes.map((line) => line.split(' ')[0])

describe('a push of one commit to the protected default branch', () => {
  it('takes four git processes before its answer, and three after it', async () => {
    const { project, tree, remote } = await pushedProject(server)
    // The first push starts the repository's reader of objects, which later ones use.
    await server.runJobs()
    await server.inject('GET', `/projects/${project.id}/repository/commits`)
    await commit(tree, { 'a.txt': 'a\n' }, 'Second')
    const before = await processesOf(() => mustGit(tree, 'push', '--quiet', remote, 'main'))
    expect(commandsOf(before)).toEqual(['index-pack', 'rev-list', 'merge-base', 'update-ref'])
    const after = await processesOf(() => server.runJobs())
    // Two of them for the search index.
    expect(commandsOf(after).toSorted()).toEqual(['diff-tree', 'ls-tree', 'rev-list'])
  })
})

describe('a push of a new branch', () => {
  it('takes three git processes before its answer', async () => {
    const { tree, remote } = await pushedProject(server)
    const push = () => mustGit(tree, 'push', '--quiet', remote, 'main:refs/heads/topic')
    const expected = ['index-pack', 'rev-list', 'update-ref']
    expect(commandsOf(await processesOf(push))).toEqual(expected)
  })
})

describe('a deletion', () => {
  it('takes one git process before its answer', async () => {
    const { tree, remote } = await pushedProject(server)
    await mustGit(tree, 'push', '--quiet', remote, 'main:refs/heads/topic')
    const push = () => mustGit(tree, 'push', '--quiet', remote, ':topic')
    expect(commandsOf(await processesOf(push))).toEqual(['update-ref'])
  })
})
