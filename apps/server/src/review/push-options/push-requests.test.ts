import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { commit, git, mustGit, pushedProject, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { reconcilePushOptions } from './push-options.jobs.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

async function build() {
  const made = await pushedProject(server)
  await mustGit(made.tree, 'checkout', '--quiet', '-b', 'topic')
  await commit(made.tree, { 'b.txt': 'b\n' }, 'Title of it\n\nThe rest.')
  const push = async (ref: string, ...options: string[]) => {
    const flags = options.flatMap((option) => ['-o', option])
    const { code, stderr } = await git(made.tree, 'push', ...flags, made.remote, ref)
    expect(code).toBe(0)
    return stderr
  }
  const show = async (iid = 1): Promise<Json> => {
    const path = `/projects/${made.project.id}/merge_requests/${iid}`
    return server.inject('GET', path, { token: server.root.token })
  }
  const web = `http://stithy.test/${made.project.path_with_namespace}/merge_requests`
  return { ...made, push, show, web }
}

describe('git push of a branch', () => {
  it('prints where to create its merge request, or where that is', async () => {
    const { push, web } = await build()
    const first = await push('topic')
    expect(first).toContain('remote: To create a merge request for topic, visit:')
    expect(first).toContain(`${web}/new?merge_request%5Bsource_branch%5D=topic`)
    const second = await push('topic:topic', 'merge_request.create')
    expect(second).not.toContain('View merge request')
  })

  it('prints nothing for the default branch, a tag or a deleted branch', async () => {
    const { push, tree } = await build()
    await mustGit(tree, 'tag', 'v1')
    for (const ref of ['topic:main', 'v1']) {
      expect(await push(ref)).not.toContain('merge request')
    }
    await push('topic')
    expect(await push(':topic')).not.toContain('merge request')
  })

  it('prints nothing for the first branch of a project, which becomes its default branch', async () => {
    const { tree, remote } = await build()
    const { username, token } = server.root
    const { path_with_namespace: path } = await server.buildProject()
    const empty = remoteUrl(await server.url(), path, username, token)
    expect(remote).not.toBe(empty)
    const { code, stderr } = await git(tree, 'push', empty, 'topic:first')
    expect([code, stderr.includes('merge request')]).toEqual([0, false])
  })

  it('prints nothing where the project turned it off', async () => {
    const { push, project } = await build()
    const body = { printing_merge_request_link_enabled: false }
    await server.inject('PUT', `/projects/${project.id}`, { token: server.root.token, body })
    expect(await push('topic')).not.toContain('merge request')
  })

  it('prints nothing where merge requests are disabled', async () => {
    const { push, project } = await build()
    const body = { merge_requests_access_level: 'disabled' }
    await server.inject('PUT', `/projects/${project.id}`, { token: server.root.token, body })
    expect(await push('topic')).not.toContain('merge request')
  })
})

describe('git push -o merge_request.create', () => {
  it('opens one with the texts of the newest commit, into the default branch', async () => {
    const { push, show, web } = await build()
    const output = await push('topic', 'merge_request.create')
    expect(output).toContain('remote: View merge request for topic:')
    expect(output).toContain(`${web}/1`)
    expect((await show()).body).toMatchObject({
      title: 'Title of it',
      description: 'The rest.',
      source_branch: 'topic',
      target_branch: 'main',
      author: { username: 'root' },
    })
  })

  it('takes its settings from the options, and later pushes change them', async () => {
    const { push, show, tree, project } = await build()
    const milestone = { title: 'One' }
    const { token } = server.root
    await server.inject('POST', `/projects/${project.id}/milestones`, { token, body: milestone })
    await push('main:stable')
    await push(
      'topic',
      'mr.create',
      'mr.target=stable',
      'mr.title=Mine',
      'mr.description=Text',
      'mr.label=a',
      'mr.label=b',
      'mr.assign=root',
      'mr.milestone=One',
      'mr.remove_source_branch',
    )
    expect((await show()).body).toMatchObject({
      title: 'Mine',
      description: 'Text',
      target_branch: 'stable',
      labels: ['a', 'b'],
      assignee: { username: 'root' },
      milestone,
      force_remove_source_branch: true,
    })
    await commit(tree, {}, 'More')
    const output = await push('topic', 'mr.title=Other', 'mr.unlabel=a', 'mr.unassign=1')
    expect(output).toContain('View merge request for topic:')
    expect((await show()).body).toMatchObject({ title: 'Other', labels: ['b'], assignees: [] })
    expect((await show(2)).status).toBe(404)
  })

  it('warns about what is refused; the push succeeds', async () => {
    const { push, show } = await build()
    const missing = await push('topic', 'mr.create', 'mr.target=none')
    expect(missing).toContain('target_branch does not exist')
    const without = await push('topic:other', 'mr.title=x')
    expect(without).toContain('A merge_request.create push option is required')
    const same = await push('topic:same', 'mr.create', 'mr.target=same')
    expect(same).toContain("You can't use same project/branch for source and target")
    expect((await show()).status).toBe(404)
  })

  it('looks at ten branches', async () => {
    const { tree, remote, project } = await build()
    const refs = Array.from({ length: 12 }, (_, index) => `topic:b${index}`)
    const { stderr } = await git(tree, 'push', '-o', 'mr.create', remote, ...refs)
    expect(stderr).toContain('Push options apply to at most 10 branches')
    const { token } = server.root
    const path = `/projects/${project.id}/merge_requests`
    expect((await server.inject('GET', `${path}/10`, { token })).status).toBe(200)
    expect((await server.inject('GET', `${path}/11`, { token })).status).toBe(404)
  })
})

describe('a push with options whose server dies before it answers', () => {
  it('creates the merge request once the server is back', async () => {
    const { push, show } = await build()
    const dying = vi.spyOn(server.app, 'answerPush').mockRejectedValueOnce(new Error('killed'))
    await push('topic', 'mr.create', 'mr.title=Mine')
    dying.mockRestore()
    await server.runJobs()
    expect((await show()).status).toBe(404)
    await reconcilePushOptions(server.app)
    await server.runJobs()
    expect((await show()).body).toMatchObject({ title: 'Mine', author: { username: 'root' } })
    expect((await show(2)).status).toBe(404)
  })

  it('does nothing twice for a push that was answered', async () => {
    const { push, show, project } = await build()
    await push('topic', 'mr.create', 'mr.title=Mine')
    const path = `/projects/${project.id}/merge_requests/1`
    await server.inject('PUT', path, { token: server.root.token, body: { title: 'Changed' } })
    await reconcilePushOptions(server.app)
    await server.runJobs()
    expect((await show()).body.title).toBe('Changed')
  })
})
