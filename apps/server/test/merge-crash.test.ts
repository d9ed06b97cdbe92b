import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type ServerProcess, startServerProcess } from '../src/testing/clients/server-process.ts'
import { type KillingStep, writeKillingGit } from '../src/testing/git/killing-git.ts'
import type { Json } from '../src/testing/test-server.ts'

const token = 'merge-crash-token-0123456789'

let folder: string | undefined
const processes: ServerProcess[] = []

afterEach(async () => {
  for (const server of processes.splice(0)) await server.end('SIGKILL')
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})

async function start(data: string, path: string): Promise<ServerProcess> {
  const env = {
    PATH: `${path}:${process.env.PATH}`,
    STITHY_ROOT_TOKEN: token,
    STITHY_ROOT_PASSWORD: 'merge crash password',
  }
  const server = await startServerProcess({ data, env })
  processes.push(server)
  await writeFile(join(path, 'pid'), String(server.child.pid))
  return server
}

async function call(server: ServerProcess, method: string, path: string, body?: object) {
  const answer = await fetch(`${server.address}/api/v4${path}`, {
    method,
    headers: { 'private-token': token, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Json }
}

async function buildRequest(server: ServerProcess): Promise<void> {
  const commit = (branch: string, file_path: string, start?: { start_branch: string }) =>
    call(server, 'POST', '/projects/root%2Fp/repository/commits', {
      branch,
      ...start,
      commit_message: file_path,
      actions: [{ action: 'create', file_path, content: 'x' }],
    })
  expect((await call(server, 'POST', '/projects', { name: 'p' })).status).toBe(201)
  expect((await commit('main', 'a')).status).toBe(201)
  expect((await commit('topic', 'b', { start_branch: 'main' })).status).toBe(201)
  // Git merges only where both branches have commits of their own.
  expect((await commit('main', 'c')).status).toBe(201)
  const request = { source_branch: 'topic', target_branch: 'main', title: 'T' }
  const made = await call(server, 'POST', '/projects/root%2Fp/merge_requests', request)
  expect(made.status).toBe(201)
}

const one = '/projects/root%2Fp/merge_requests/1'
/** A busy machine takes long for a start; what is waited for is a condition, not a duration. */
const patience = { timeout: 120_000 }
const options = { should_remove_source_branch: true }
const branch = (name: string) => `/projects/root%2Fp/repository/branches/${name}`

describe('kill -9 during PUT /projects/:id/merge_requests/:merge_request_iid/merge', () => {
  it.each<[string, 'opened' | 'merged', KillingStep]>([
    ['after git merged', 'opened', { when: 'after', command: 'merge-tree', input: '' }],
    ...(['before', 'after'] as const).flatMap(
      (when): [string, 'opened' | 'merged', KillingStep][] => {
        const move = { when, command: 'update-ref' }
        const state = when === 'before' ? 'opened' : 'merged'
        return [
          [`${when} the target branch moves`, state, { ...move, input: 'refs/heads/main' }],
          [
            `${when} the source branch is deleted`,
            'merged',
            { ...move, input: 'refs/heads/topic' },
          ],
        ]
      },
    ),
  ])(
    '%s: it is %s after a restart, and merged exactly once',
    async (_, state, step) => {
      folder = await mkdtemp(join(tmpdir(), 'stithy-merge-crash-'))
      await writeKillingGit(folder, step)
      const data = join(folder, 'data')
      const first = await start(data, folder)
      await buildRequest(first)
      await writeFile(join(folder, 'armed'), '')
      const answer = await call(first, 'PUT', `${one}/merge`, options).catch(() => undefined)
      expect(answer).toBeUndefined()

      const second = await start(data, folder)
      const shown = async () => (await call(second, 'GET', one)).body.state
      await expect.poll(shown, patience).toBe(state)
      if (state === 'opened') {
        expect((await call(second, 'PUT', `${one}/merge`, options)).body.state).toBe('merged')
      }
      const { body: request } = await call(second, 'GET', one)
      const gone = async () => (await call(second, 'GET', branch('topic'))).status
      await expect.poll(gone, patience).toBe(404)
      const main = (await call(second, 'GET', branch('main'))).body.commit
      expect(main.id).toBe(request.merge_commit_sha)
      const commits = await call(second, 'GET', '/projects/root%2Fp/repository/commits')
      expect(commits.body).toHaveLength(4)
      const notes = (await call(second, 'GET', `${one}/notes`)).body
      expect(notes.filter((note: Json) => note.body === 'merged')).toHaveLength(1)
      const events = async () => {
        const { body } = await call(second, 'GET', '/projects/root%2Fp/events?per_page=100')
        const pushed = body.filter((event: Json) => event.push_data?.commit_to === main.id)
        const accepted = body.filter((event: Json) => event.action_name === 'accepted')
        return [pushed.length, accepted.length]
      }
      await expect.poll(events, patience).toEqual([1, 1])
    },
    300_000,
  )
})
