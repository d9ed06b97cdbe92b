import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildRepositoryFixture } from '../../testing/git/repository-fixture.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

describe('merge requests with the unmodified @gitbeaker/rest', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await buildTestServer()
  })
  afterAll(() => server.close())

  it('creates, reads, changes and deletes one', async () => {
    const fixture = await buildRepositoryFixture(server)
    const head = await fixture.commitTo('topic', { 'b.txt': 'b\n' }, 'First')
    await fixture.push('main', 'topic')
    const { MergeRequests } = new Gitlab({ host: await server.url(), token: server.root.token })
    const { id } = fixture.project
    const options = { description: 'Text', labels: 'a,b', removeSourceBranch: true }
    const { iid } = await MergeRequests.create(id, 'topic', 'main', 'Change', options)
    const shown = await MergeRequests.show(id, iid, { renderHtml: true })
    expect(shown).toMatchObject({ title: 'Change', labels: ['a', 'b'], sha: head })
    expect((await MergeRequests.allCommits(id, iid)).map((commit) => commit.id)).toEqual([head])
    const changes = await MergeRequests.showChanges(id, iid)
    expect(changes.changes).toMatchObject([{ new_path: 'b.txt' }])
    const [version] = await MergeRequests.allDiffVersions(id, iid)
    const detail = await MergeRequests.showDiffVersion(id, iid, version?.id ?? 0)
    expect(detail.diffs).toHaveLength(1)
    expect(await MergeRequests.allPipelines(id, iid)).toEqual([])
    expect(await MergeRequests.allIssuesClosed(id, iid)).toEqual([])
    const edited = await MergeRequests.edit(id, iid, { title: 'Other', stateEvent: 'close' })
    expect(edited).toMatchObject({ title: 'Other', state: 'closed' })
    await MergeRequests.unsubscribe(id, iid)
    expect((await MergeRequests.subscribe(id, iid)).subscribed).toBe(true)
    await MergeRequests.remove(id, iid)
    await expect(MergeRequests.show(id, iid)).rejects.toThrow('Not Found')
  })

  it('takes one from a fork from its first commit to the closed issue', async () => {
    const { project: source } = await buildRepositoryFixture(server, { visibility: 'public' })
    const host = await server.url()
    const maintainer = new Gitlab({ host, token: server.root.token })
    const user = await server.buildUser()
    const contributor = new Gitlab({ host, token: user.token })
    await maintainer.Commits.create(source.id, 'main', 'Start', [
      { action: 'create', filePath: 'a.txt', content: 'a\n' },
    ])
    const issue = await contributor.Issues.create(source.id, 'It is broken')

    const fork = await contributor.Projects.fork(source.id)
    await contributor.Branches.create(fork.id, 'topic', 'main')
    const commit = await contributor.Commits.create(fork.id, 'topic', 'Mend it', [
      { action: 'update', filePath: 'a.txt', content: 'b\n' },
    ])
    const opened = await contributor.MergeRequests.create(fork.id, 'topic', 'main', 'Mend it', {
      targetProjectId: source.id,
      description: `Closes #${issue.iid}`,
      removeSourceBranch: true,
    })
    await server.runJobs()
    const { iid } = opened
    expect(opened).toMatchObject({ project_id: source.id, source_project_id: fork.id })
    expect(opened.sha).toBe(commit.id)

    const { MergeRequests, MergeRequestApprovals, MergeRequestDiscussions } = maintainer
    const discussion = await MergeRequestDiscussions.create(source.id, iid, 'Why?')
    await contributor.MergeRequestDiscussions.addNote(source.id, iid, discussion.id, 'Because', {
      discussionId: discussion.id,
    } as never)
    await MergeRequestDiscussions.resolve(source.id, iid, discussion.id, true)
    const [read] = await contributor.MergeRequestDiscussions.all(source.id, iid)
    expect(read?.notes).toMatchObject([
      { body: 'Why?', resolved: true },
      { body: 'Because', resolved: true },
    ])

    await MergeRequestApprovals.approve(source.id, iid)
    const merged = await MergeRequests.accept(source.id, iid, { sha: commit.id })
    expect(merged).toMatchObject({ state: 'merged', sha: commit.id, merge_error: null })
    await server.runJobs()
    const tip = await maintainer.Branches.show(source.id, 'main')
    expect(tip.commit.id).toBe(merged.merge_commit_sha)
    const branches = await contributor.Branches.all(fork.id)
    expect(branches.map(({ name }) => name)).toEqual(['main'])
    expect((await maintainer.Issues.show(issue.iid, { projectId: source.id })).state).toBe('closed')
    const shown = await contributor.MergeRequests.show(source.id, iid)
    expect(shown).toMatchObject({ state: 'merged', source_branch: 'topic' })
  })
})
