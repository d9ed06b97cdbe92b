import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIssueFixture, type IssueFixture } from '../../testing/fixtures/issues.ts'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../testing/git/repository-fixture.ts'
import type { Json } from '../../testing/test-server.ts'

let fixture: IssueFixture
let repository: RepositoryFixture
beforeAll(async () => {
  fixture = await buildIssueFixture()
  repository = await buildRepositoryFixture(fixture.server, {
    namespace_id: fixture.group.id,
    visibility: 'public',
  })
  await repository.push('main')
})
afterAll(() => fixture.server.close())

type Who = 'reporter' | 'developer'

describe('/create_merge_request on an issue', () => {
  const openIssue = async (values: object = {}) => {
    const { token } = fixture.server.root
    const body = { title: 'Ärger & more', ...values }
    return (
      await fixture.server.inject('POST', `/projects/${repository.project.id}/issues`, {
        token,
        body,
      })
    ).body
  }
  const comment = (issue: Json, body: string, who: Who) =>
    fixture.server.inject('POST', `/projects/${repository.project.id}/issues/${issue.iid}/notes`, {
      token: fixture[who].token,
      body: { body },
    })
  const closers = async (issue: Json) => {
    const { token } = fixture.server.root
    const list = `/projects/${repository.project.id}/issues/${issue.iid}/closed_by`
    return (await fixture.server.inject('GET', list, { token })).body
  }

  it('creates a branch and a merge request that closes the issue', async () => {
    const issue = await openIssue({ labels: 'made' })
    await comment(issue, '/create_merge_request', 'developer')
    const branch = `${issue.iid}-arger-more`
    const [request] = await closers(issue)
    expect(request).toMatchObject({
      title: 'WIP: Resolve "Ärger & more"',
      description: `Closes #${issue.iid}`,
      source_branch: branch,
      target_branch: 'main',
      labels: ['made'],
      assignee: { username: fixture.developer.username },
    })
    const { token } = fixture.server.root
    const notes = await fixture.server.inject(
      'GET',
      `/projects/${repository.project.id}/issues/${issue.iid}/notes`,
      { token, query: 'sort=asc' },
    )
    const link = `http://stithy.test/${repository.project.path_with_namespace}/compare/main...${branch}`
    const bodies = notes.body.map((note: Json) => note.body)
    expect(bodies).toContain(`created branch [\`${branch}\`](${link}) to address this issue`)
    expect(bodies).toContain(`created merge request !${request.iid} to address this issue`)
  })

  it('creates a merge request that takes diff notes once its branch has commits', async () => {
    const issue = await openIssue()
    await comment(issue, '/create_merge_request worked-on', 'developer')
    await fixture.server.runJobs()
    const [request] = await closers(issue)
    const { token } = fixture.developer
    const base = `/projects/${repository.project.id}`
    const get = async (path: string) =>
      (await fixture.server.inject('GET', `${base}${path}`, { token })).body
    const { id: tip } = (await get('/repository/branches/main')).commit
    for (const file of ['one.txt', 'two.txt']) {
      const actions = [{ action: 'create', file_path: file, content: 'a\nb\n' }]
      const commit = { branch: 'worked-on', commit_message: 'Work', actions }
      const made = await fixture.server.inject('POST', `${base}/repository/commits`, {
        token,
        body: commit,
      })
      expect(made.status).toBe(201)
      await fixture.server.runJobs()
      const shas = { base_sha: tip, start_sha: tip, head_sha: made.body.id }
      const lines = { position_type: 'text', new_path: file, old_path: file, new_line: 2 }
      const path = `${base}/merge_requests/${request.iid}/discussions`
      const body = { body: 'A line', position: { ...shas, ...lines } }
      const answer = await fixture.server.inject('POST', path, { token, body })
      expect([file, answer.status, answer.body.notes?.[0].position]).toEqual([
        file,
        201,
        expect.objectContaining({ ...shas, new_line: 2 }),
      ])
    }
  })

  it('accepts a branch name, unless it is taken or invalid', async () => {
    const issue = await openIssue()
    await comment(issue, '/create_merge_request main', 'developer')
    await comment(issue, '/create_merge_request -x', 'developer')
    await comment(issue, '/create_merge_request a b', 'developer')
    expect(await closers(issue)).toEqual([])
    await comment(issue, '/create_merge_request named', 'developer')
    expect(await closers(issue)).toMatchObject([{ source_branch: 'named' }])
  })

  it('does nothing for reporters and for confidential issues', async () => {
    const [issue, secret] = [await openIssue(), await openIssue({ confidential: true })]
    await comment(issue, '/create_merge_request', 'reporter')
    await comment(secret, '/create_merge_request', 'developer')
    expect([await closers(issue), await closers(secret)]).toEqual([[], []])
  })
})

describe('/tag in a comment on a commit', () => {
  it('tags the commit, for developers', async () => {
    const { token } = fixture.server.root
    const base = `/projects/${repository.project.id}/repository`
    const [{ id: sha }] = (await fixture.server.inject('GET', `${base}/commits`, { token })).body
    const comment = (body: string, who: Who) =>
      fixture.server.inject(
        'POST',
        `/projects/${repository.project.id}/repository/commits/${sha}/discussions`,
        {
          token: fixture[who].token,
          body: { body },
        },
      )
    const tags = async () =>
      (await fixture.server.inject('GET', `${base}/tags`, { token })).body.map((tag: Json) => [
        tag.name,
        tag.message,
        tag.commit.id,
      ])
    await comment('Ship it\n/tag v1.0 The first', 'reporter')
    expect(await tags()).toEqual([])
    const answer = await comment('Ship it\n/tag v1.0 The first\n/close', 'developer')
    expect(answer.body.notes[0].body).toBe('Ship it')
    expect(await tags()).toEqual([['v1.0', 'The first', sha]])
    expect((await comment('/tag v1.0', 'developer')).status).toBe(400)
    expect((await comment('/tag light', 'developer')).status).toBe(400)
    expect(await tags()).toContainEqual(['light', null, sha])
  })
})
