import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorkTree, mustGit, remoteUrl } from '../src/testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../src/testing/test-server.ts'

describe('commit statuses and project hooks with the unmodified @gitbeaker/rest', () => {
  let server: TestServer
  let project: Json
  let sha: string
  let api: InstanceType<typeof Gitlab>
  beforeAll(async () => {
    server = await buildTestServer()
    project = await server.buildProject()
    const host = await server.url()
    const { username, token } = server.root
    const tree = await buildWorkTree()
    sha = await mustGit(tree, 'rev-parse', 'HEAD')
    const remote = remoteUrl(host, project.path_with_namespace, username, token)
    await mustGit(tree, 'push', '--quiet', remote, 'main')
    api = new Gitlab({ host, token })
  })
  afterAll(() => server.close())

  it('reports and lists statuses', async () => {
    const { id } = project
    const options = { name: 'unit', targetUrl: 'https://ci.example/1', coverage: 50 }
    const running = await api.Commits.editStatus(id, sha, 'running', options)
    expect(running).toMatchObject({
      status: 'running',
      name: 'unit',
      target_url: options.targetUrl,
    })
    await api.Commits.editStatus(id, sha, 'success', { context: 'unit' })
    await api.Commits.editStatus(project.path_with_namespace, sha, 'failed', { context: 'unit' })
    const newest = await api.Commits.allStatuses(id, sha)
    expect(newest.map(({ status }) => status)).toEqual(['failed'])
    const all = await api.Commits.allStatuses(id, sha, { all: true, ref: 'main' })
    expect(all.map(({ status }) => status)).toEqual(['success', 'failed'])
    const commit = await api.Commits.show(id, sha)
    expect(commit).toMatchObject({ status: 'failed', last_pipeline: { ref: 'main', sha } })
    await api.Commits.editStatus(id, sha, 'pending', { context: 'unit' })
    const again = api.Commits.editStatus(id, sha, 'pending', { context: 'unit' })
    await expect(again).rejects.toThrow('Cannot transition status')
  })

  it('creates, lists, shows, updates and deletes hooks', async () => {
    const { id } = project
    const url = 'https://ci.example/hook'
    const hook = await api.ProjectHooks.add(id, url, {
      noteEvents: true,
      pushEvents: false,
      token: 'secret',
    })
    expect(hook).toMatchObject({ url, note_events: true, push_events: false })
    expect(hook).not.toHaveProperty('token')
    expect(await api.ProjectHooks.all(id)).toEqual([hook])
    expect(await api.ProjectHooks.show(id, hook.id)).toEqual(hook)
    const edited = await api.ProjectHooks.edit(id, hook.id, `${url}/2`, { pushEvents: true })
    expect(edited).toMatchObject({ url: `${url}/2`, note_events: true, push_events: true })
    await api.ProjectHooks.remove(id, hook.id)
    expect(await api.ProjectHooks.all(id)).toEqual([])
    await expect(api.ProjectHooks.add(id, 'nowhere')).rejects.toThrow()
  })
})
