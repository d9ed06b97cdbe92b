import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { insertPipeline } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../../testing/git/repository-fixture.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let fixture: RepositoryFixture
let request: { id: number; iid: number }
let head: string

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildRepositoryFixture(server)
  await fixture.commitTo('topic', { 'b.txt': 'b\n' }, 'First')
  head = await fixture.commitTo('topic', { 'c.txt': 'c\n' }, 'Second')
  await fixture.push('main', 'topic')
  request = await server.buildMergeRequest(fixture.project, 'topic', 'main', {
    title: 'A **title**',
    description: 'Some *text*',
  })
  await server.runJobs()
})

const get = async (part = '', token = server.root.token, query = ''): Promise<Json> => {
  const path = `/projects/${fixture.project.id}/merge_requests/${request.iid}${part}`
  return server.inject('GET', path, { token, query })
}

async function member(level: number) {
  const user = await server.buildUser()
  await server.addMember(`projects/${fixture.project.id}`, user.id, level)
  return user
}

/** A merge request of the same commits by somebody else. */
async function buildAnother({ id: authorId }: { id: number }) {
  await fixture.git('branch', 'another', 'topic')
  await fixture.push('another')
  return server.buildMergeRequest(fixture.project, 'another', 'main', { authorId })
}

async function addPipeline(sha: string, ref = 'topic') {
  const [projectId, createdAt] = [fixture.project.id, Date.UTC(2030, 1, 1)]
  const times = { createdAt, startedAt: createdAt, finishedAt: null, duration: null }
  const pipeline = { projectId, ref, sha, beforeSha: null, tag: 0, userId: 1, ...times } as const
  return server.app.db.transaction((tx) =>
    insertPipeline(tx, { ...pipeline, source: 'push', status: 'running' }),
  )
}

describe('GET /projects/:id/merge_requests/:merge_request_iid', () => {
  it('shows what lists show, and its diff refs', async () => {
    const { status, body } = await get()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      iid: 1,
      reference: '!1',
      changes_count: '2',
      merge_error: null,
      user: { can_merge: true },
      diff_refs: { base_sha: expect.stringMatching(/^[0-9a-f]{40}$/), head_sha: head },
      subscribed: true,
    })
    for (const name of ['title_html', 'diverged_commits_count', 'rebase_in_progress']) {
      expect(body).not.toHaveProperty(name)
    }
  })

  it('shows labels in full with with_labels_details', async () => {
    const path = `/projects/${fixture.project.id}/merge_requests/1`
    await server.inject('PUT', path, { token: server.root.token, body: { labels: 'bug' } })
    expect((await get()).body.labels).toEqual(['bug'])
    const { body } = await get('', undefined, 'with_labels_details=true')
    expect(body.labels).toMatchObject([{ name: 'bug', color: expect.stringMatching(/^#/) }])
  })

  it('renders its texts with render_html', async () => {
    const { body } = await get('', undefined, 'render_html=true')
    expect(body.title_html).toBe('A <strong>title</strong>')
    expect(body.description_html).toContain('<em>text</em>')
  })

  it.each([
    ['# No heading', '# No heading'],
    ['1. no list', '1. no list'],
    ['> a & <p>b</p>', '&gt; a &amp; &lt;p&gt;b&lt;/p&gt;'],
    ['A note ^[inline]', 'A note ^[inline]'],
    ['`code` of [a](https://example.com)', expect.stringMatching(/^<code>code<\/code> of <a /)],
  ])('renders the title %s as one line', async (title, html) => {
    const path = `/projects/${fixture.project.id}/merge_requests/${request.iid}`
    await server.inject('PUT', path, { token: server.root.token, body: { title } })
    const { body } = await get('', undefined, 'render_html=true')
    expect(body.title_html).toEqual(html)
  })

  it('counts the commits of the target that it lacks', async () => {
    await fixture.commitTo('main', { 'm.txt': 'm\n' }, 'Ahead')
    await fixture.push('main')
    const { body } = await get('', undefined, 'include_diverged_commits_count=true')
    expect(body.diverged_commits_count).toBe(1)
  })

  it('counts none where the repository has lost its head', async () => {
    const setHead = (headSha: string) =>
      server.app.db.run('test.head', { id: request.id, headSha }, (db, $) =>
        db
          .updateTable('mergeRequests')
          .set({ headSha: $('headSha') })
          .where('id', '=', $('id')),
      )
    await setHead('f'.repeat(40))
    const { status, body } = await get('', undefined, 'include_diverged_commits_count=true')
    await setHead(head)
    expect([status, body.diverged_commits_count]).toEqual([200, 0])
  })

  it('says whether it is being rebased', async () => {
    const query = 'include_rebase_in_progress=true'
    expect((await get('', undefined, query)).body.rebase_in_progress).toBe(false)
    await server.app.db.run('test.rebase', { id: request.id }, (db, $) =>
      db.updateTable('mergeRequests').set({ rebaseStartedAt: 1 }).where('id', '=', $('id')),
    )
    expect((await get('', undefined, query)).body.rebase_in_progress).toBe(true)
  })

  it('says who may merge, by the protection of the target branch', async () => {
    const developer = await member(30)
    // The default branch is protected.
    expect((await get('', developer.token)).body.user).toEqual({ can_merge: false })
    const path = `/projects/${fixture.project.id}/protected_branches`
    await server.inject('DELETE', `${path}/main`, { token: server.root.token })
    expect((await get('', developer.token)).body.user).toEqual({ can_merge: true })
    expect((await get('', (await member(20)).token)).body.user).toEqual({ can_merge: false })
  })

  it('has the pipeline of the head, for callers who may read pipelines', async () => {
    await addPipeline(head)
    const { body } = await get()
    const web = `http://stithy.test/${fixture.project.path_with_namespace}/pipelines`
    expect(body.pipeline).toEqual({
      id: expect.any(Number),
      sha: head,
      ref: 'topic',
      status: 'running',
      web_url: `${web}/${body.pipeline.id}`,
    })
    expect(body.head_pipeline).toEqual({
      ...body.pipeline,
      before_sha: '0'.repeat(40),
      tag: false,
      yaml_errors: null,
      user: expect.objectContaining({ id: 1, username: 'root' }),
      created_at: '2030-02-01T00:00:00.000Z',
      updated_at: '2030-02-01T00:00:00.000Z',
      started_at: '2030-02-01T00:00:00.000Z',
      finished_at: null,
      committed_at: null,
      duration: null,
      coverage: null,
      detailed_status: {
        icon: 'status_running',
        text: 'running',
        label: 'running',
        group: 'running',
        tooltip: 'running',
        has_details: true,
        details_path: new URL(body.pipeline.web_url).pathname,
        illustration: null,
        favicon: '/assets/ci_favicons/favicon_status_running.png',
      },
    })
    expect(body.latest_build_started_at).toBe('2030-02-01T00:00:00.000Z')
    expect(body.latest_build_finished_at).toBeNull()
    const guest = await member(10)
    request = await buildAnother(guest)
    const seen = await get('', guest.token)
    expect(seen.status).toBe(200)
    expect(seen.body).not.toHaveProperty('pipeline')
    expect(seen.body).not.toHaveProperty('head_pipeline')
    expect(seen.body).not.toHaveProperty('latest_build_started_at')
  })

  it('has the coverage and the state of the pipeline that statuses report', async () => {
    const report = async (name: string, body: object) => {
      const path = `/projects/${fixture.project.id}/statuses/${head}`
      const { token } = server.root
      const answer = await server.inject('POST', path, {
        token,
        body: { name, ref: 'topic', ...body },
      })
      expect(answer.status).toBe(201)
    }
    await report('a', { state: 'running', coverage: 10 })
    await report('a', { state: 'success', coverage: 30 })
    await report('b', { state: 'success', coverage: 50.5 })
    const { body } = await get()
    expect(body.pipeline.status).toBe('success')
    expect(body.head_pipeline).toMatchObject({
      coverage: '40.25',
      detailed_status: { icon: 'status_success', text: 'passed', group: 'success' },
    })
    expect(body.latest_build_finished_at).not.toBeNull()
  })

  it('returns 403 to guests, 404 for an unknown one and to strangers', async () => {
    const [guest, stranger] = [await member(10), await server.buildUser()]
    for (const path of ['', '/commits', '/changes', '/versions', '/participants']) {
      expect((await get(path, guest.token)).status, path).toBe(403)
      expect((await get(path, stranger.token)).status, path).toBe(404)
    }
    for (const path of ['/notes', '/discussions', '/award_emoji']) {
      expect((await get(path, guest.token)).status, path).toBe(404)
    }
    request = { id: 0, iid: 999 }
    expect((await get()).status).toBe(404)
  })
})

describe('GET .../commits', () => {
  it('shows every commit of a page, however long their messages are', async () => {
    const { codeLimits } = server.app.config
    const compare = { ...codeLimits.compare, maxCommitBytes: 1 }
    server.app.config.codeLimits = { ...codeLimits, compare }
    const { body } = await get('/commits')
    server.app.config.codeLimits = codeLimits
    expect(body.map((commit: Json) => commit.title)).toEqual(['Second', 'First'])
  })

  it('lists those of the latest version in pages, newest first', async () => {
    const first = await get('/commits', undefined, 'per_page=1')
    expect(first.headers['x-total']).toBe('2')
    expect(first.body).toMatchObject([{ id: head, title: 'Second' }])
    const second = await get('/commits', undefined, 'per_page=1&page=2')
    expect(second.body).toMatchObject([{ title: 'First' }])
    expect((await get('/commits', undefined, 'page=3')).body).toEqual([])
  })
})

describe('GET .../changes', () => {
  it('has the diff from the merge base', async () => {
    await fixture.commitTo('main', { 'm.txt': 'm\n' }, 'Not in it')
    await fixture.push('main')
    const { body } = await get('/changes')
    expect(body.iid).toBe(1)
    expect(body.changes.map((entry: Json) => entry.new_path)).toEqual(['b.txt', 'c.txt'])
    expect(body.changes[0]).toMatchObject({
      new_file: true,
      diff: '--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+b\n',
    })
  })

  it('has binary files without their contents', async () => {
    await fixture.git('checkout', '--quiet', 'topic')
    await writeFile(join(fixture.tree, 'x.bin'), Buffer.from([0, 1, 2, 255]))
    await fixture.commitTo('topic', {}, 'Binary')
    await fixture.push('topic')
    await server.runJobs()
    const { body } = await get('/changes')
    expect(body.changes_count).toBe('3')
    expect(body.changes.at(-1)).toMatchObject({
      new_path: 'x.bin',
      diff: 'Binary files /dev/null and b/x.bin differ\n',
    })
  })

  it('is empty for branches that are the same', async () => {
    await fixture.git('branch', 'same', 'main')
    await fixture.push('same')
    request = await server.buildMergeRequest(fixture.project, 'same', 'main')
    const { body } = await get('/changes')
    expect(body).toMatchObject({ changes: [], changes_count: '0' })
    const [version] = (await get('/versions')).body
    expect(version).toMatchObject({ state: 'empty', real_size: '0' })
    expect((await get(`/versions/${version.id}`)).body).toMatchObject({ commits: [], diffs: [] })
  })

  it('counts at most 1,000 files, and shows no more', async () => {
    await fixture.git('checkout', '--quiet', 'topic')
    const files = Object.fromEntries(
      Array.from({ length: 1200 }, (_, index) => [`file-${String(index).padStart(4, '0')}`, 'x\n']),
    )
    await fixture.commitTo('topic', files, 'Many')
    await fixture.push('topic')
    await server.runJobs()
    const { status, body } = await get('/changes')
    expect(status).toBe(200)
    expect(body.changes_count).toBe('1000+')
    expect(body.changes).toHaveLength(1000)
    const [version] = (await get('/versions')).body
    expect(version).toMatchObject({ state: 'overflow', real_size: '1000+' })
    expect((await get(`/versions/${version.id}`)).body.diffs).toHaveLength(1000)
  })

  it('compares histories without a common base', async () => {
    await fixture.git('checkout', '--quiet', '--orphan', 'alone')
    await fixture.git('commit', '--quiet', '--message', 'Alone')
    await fixture.push('alone')
    request = await server.buildMergeRequest(fixture.project, 'alone', 'main')
    const { status, body } = await get('/changes')
    expect([status, body.diff_refs.base_sha]).toEqual([200, null])
  })
})

describe('GET .../versions', () => {
  it('lists a version for each push, newest first', async () => {
    const next = await fixture.commitTo('topic', { 'd.txt': 'd\n' }, 'Third')
    await fixture.push('topic')
    await server.runJobs()
    const { headers, body } = await get('/versions')
    expect(headers['x-total']).toBe('2')
    expect(body).toMatchObject([
      { head_commit_sha: next, state: 'collected', real_size: '3', merge_request_id: request.id },
      { head_commit_sha: head, state: 'collected', real_size: '2' },
    ])
    const old = await get(`/versions/${body[1].id}`)
    expect(old.body.commits.map((commit: Json) => commit.title)).toEqual(['Second', 'First'])
    expect(old.body.diffs).toHaveLength(2)
  })

  it('drops the files of all but the latest one after the merge', async () => {
    await fixture.commitTo('topic', { 'd.txt': 'd\n' }, 'Third')
    await fixture.push('topic')
    await server.runJobs()
    await fixture.mergeInto('main', 'topic')
    await fixture.push('main')
    await server.runJobs()
    const { body } = await get('/versions')
    const states = body.map((version: Json) => version.state)
    expect(states[0]).toBe('collected')
    expect(new Set(states.slice(1))).toEqual(new Set(['without_files']))
    expect((await get(`/versions/${body.at(-1).id}`)).body.diffs).toEqual([])
    expect((await get(`/versions/${body[0].id}`)).body.diffs).toHaveLength(3)
  })

  it('returns 404 for a version of another merge request', async () => {
    const [{ id }] = (await get('/versions')).body
    await fixture.git('branch', 'other', 'topic')
    await fixture.push('other')
    request = await server.buildMergeRequest(fixture.project, 'other', 'main')
    expect((await get(`/versions/${id}`)).status).toBe(404)
  })

  it('counts without git when only the target branch moved', async () => {
    await fixture.commitTo('main', { 'm.txt': 'm\n' }, 'Ahead')
    await fixture.push('main')
    await server.runJobs()
    expect((await get('/versions')).body).toMatchObject([{ real_size: '2' }, { real_size: '2' }])
  })
})

describe('GET .../pipelines', () => {
  it('lists those of the commits on the source branch, newest first', async () => {
    const commits = (await get('/commits')).body.map((commit: Json) => commit.id)
    const first = await addPipeline(commits[1])
    const second = await addPipeline(head)
    await addPipeline(head, 'elsewhere')
    await addPipeline('1'.repeat(40))
    const { status, body } = await get('/pipelines')
    expect(status).toBe(200)
    expect(body.map((pipeline: Json) => pipeline.id)).toEqual([second.id, first.id])
  })

  it('returns 403 to an author who may not read pipelines', async () => {
    const guest = await member(10)
    request = await buildAnother(guest)
    expect((await get('/pipelines', guest.token)).status).toBe(403)
  })
})

describe('GET .../closes_issues', () => {
  it('lists the issues that its texts and commits close, as far as the caller may read them', async () => {
    const path = `/projects/${fixture.project.id}`
    const issue = async (body: object) =>
      (await server.inject('POST', `${path}/issues`, { token: server.root.token, body })).body
    await issue({ title: 'One' })
    await issue({ title: 'Two', confidential: true })
    await issue({ title: 'Three' })
    await fixture.commitTo('topic', { 'e.txt': 'e\n' }, 'Closes #3')
    await fixture.push('topic')
    await server.runJobs()
    const { token } = server.root
    const description = 'Closes #1 and #2'
    await server.inject('PUT', `${path}/merge_requests/1`, { token, body: { description } })
    const titles = async (by: string) =>
      (await get('/closes_issues', by)).body.map((found: Json) => found.title)
    expect(await titles(token)).toEqual(['One', 'Two', 'Three'])
    const outsider = await server.buildUser()
    await server.inject('PUT', path, { token, body: { visibility: 'public' } })
    expect(await titles(outsider.token)).toEqual(['One', 'Three'])
  })
})

describe('the query count of a merge request', () => {
  it('does not depend on its commits and versions', async () => {
    const count = async (part: string) => {
      await get(part)
      const before = server.app.db.stats.queries
      expect((await get(part)).status).toBe(200)
      return server.app.db.stats.queries - before
    }
    await addPipeline(head)
    const parts = ['', '/commits', '/changes', '/versions', '/pipelines', '/closes_issues']
    const few = []
    for (const part of parts) few.push(await count(part))
    for (const name of ['x', 'y', 'z']) {
      await fixture.commitTo('topic', { [name]: name }, name)
      await fixture.push('topic')
      await server.runJobs()
      await addPipeline(await fixture.git('rev-parse', 'topic'))
    }
    const many = []
    for (const part of parts) many.push(await count(part))
    expect(many).toEqual(few)
  })
})
