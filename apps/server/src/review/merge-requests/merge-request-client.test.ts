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
})
