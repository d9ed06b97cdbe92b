import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type HookedProject,
  type HookFixture,
  startHookFixture,
} from '../../testing/fixtures/hook-fixture.ts'
import { mustGit } from '../../testing/git/git-client.ts'
import type { Json } from '../../testing/test-server.ts'

let fixture: HookFixture

beforeAll(async () => {
  fixture = await startHookFixture()
})
beforeEach(() => fixture.flush())
afterAll(() => fixture.close())

const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)

async function call(method: string, path: string, body?: object): Promise<Json> {
  const { inject, root } = fixture.server
  const answer = await inject(method, path, { token: root.token, ...(body && { body }) })
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

/** The received requests, as headers and bodies. */
async function received() {
  await fixture.server.runJobs()
  return fixture.receiver.received.splice(0).map(({ headers, body }) => ({
    header: headers['x-gitlab-event'],
    body,
  }))
}

const issuesOf = ({ project }: HookedProject) => `/projects/${project.id}/issues`

describe('issue hooks', () => {
  it('are triggered when an issue is opened', async () => {
    const hooked = await fixture.buildProject()
    await hooked.hook({ issues_events: true, push_events: false })
    const web = `http://stithy.test/${hooked.project.path_with_namespace}`
    const issue = await call('POST', issuesOf(hooked), {
      title: 'Broken',
      description: 'See ![x](/uploads/1/x.png)',
      labels: 'bug',
      assignee_ids: [1],
      due_date: '2026-03-11',
    })
    const [{ header, body } = { header: '', body: {} }, ...more] = await received()
    expect(more).toEqual([])
    expect(header).toBe('Issue Hook')
    const user = { name: 'Administrator', username: 'root', avatar_url: null }
    const bug = {
      id: expect.any(Number),
      title: 'bug',
      color: expect.stringMatching(/^#/),
      project_id: hooked.project.id,
      created_at: time,
      updated_at: time,
      template: false,
      description: null,
      type: 'ProjectLabel',
      group_id: null,
    }
    expect(body).toEqual({
      object_kind: 'issue',
      event_type: 'issue',
      user,
      project: expect.objectContaining({ id: hooked.project.id, homepage: web }),
      repository: expect.objectContaining({ homepage: web }),
      object_attributes: {
        id: issue.id,
        iid: issue.iid,
        title: 'Broken',
        description: `See ![x](${web}/uploads/1/x.png)`,
        state: 'opened',
        assignee_ids: [1],
        assignee_id: 1,
        author_id: 1,
        project_id: hooked.project.id,
        milestone_id: null,
        created_at: time,
        updated_at: time,
        ...{ updated_by_id: null, last_edited_at: null, last_edited_by_id: null },
        closed_at: null,
        due_date: '2026-03-11',
        confidential: false,
        discussion_locked: null,
        moved_to_id: null,
        time_estimate: 0,
        total_time_spent: 0,
        human_time_estimate: null,
        human_total_time_spent: null,
        weight: null,
        url: `${web}/issues/${issue.iid}`,
        action: 'open',
      },
      assignees: [user],
      assignee: user,
      labels: [bug],
      changes: {},
    })
  })

  it('are triggered when an issue changes, with the previous values and the state at that time', async () => {
    const hooked = await fixture.buildProject()
    const path = issuesOf(hooked)
    const { iid } = await call('POST', path, { title: 'Old', labels: 'a,b', assignee_ids: [1] })
    await hooked.hook({ issues_events: true, push_events: false })
    const one = `${path}/${iid}`
    await call('PUT', one, { title: 'New', labels: 'b,c', assignee_ids: '' })
    await call('PUT', one, { state_event: 'close' })
    await call('PUT', one, { state_event: 'reopen' })
    await call('DELETE', `${path.replace('issues', 'labels')}?name=c`)
    const bodies = (await received()).map(({ body }) => body)
    const byAction = (action: string) =>
      bodies.filter(({ object_attributes }) => object_attributes.action === action)
    const [update] = byAction('update')
    const titles = (labels: Json[]) => labels.map(({ title }) => title)
    expect(titles(update.labels)).toEqual(['b', 'c'])
    expect(update.object_attributes).toMatchObject({ title: 'New', state: 'opened' })
    expect(update.changes.title).toEqual({ previous: 'Old', current: 'New' })
    expect(titles(update.changes.labels.previous)).toEqual(['a', 'b'])
    expect(titles(update.changes.labels.current)).toEqual(['b', 'c'])
    expect(update.changes.assignees).toEqual({
      previous: [expect.objectContaining({ username: 'root' })],
      current: [],
    })
    expect(update.changes.updated_at).toEqual({ previous: time, current: time })
    expect(update.assignee).toBeNull()
    const [closed] = byAction('close')
    expect(closed.object_attributes).toMatchObject({ state: 'closed', closed_at: time })
    expect(byAction('reopen')).toHaveLength(1)
  })

  it('are triggered by time tracking', async () => {
    const hooked = await fixture.buildProject()
    const { iid } = await call('POST', issuesOf(hooked), { title: 'One' })
    await hooked.hook({ issues_events: true, push_events: false })
    await call('POST', `${issuesOf(hooked)}/${iid}/add_spent_time`, { duration: '1h' })
    const [{ body } = { body: {} }] = await received()
    expect(body.object_attributes).toMatchObject({
      action: 'update',
      total_time_spent: 3600,
      human_total_time_spent: '1h',
    })
    expect(body.changes.total_time_spent).toEqual({ previous: 0, current: 3600 })
    expect(body.changes).not.toHaveProperty('time_estimate')
  })

  it('are sent for a confidential issue only to hooks with confidential_issues_events', async () => {
    const hooked = await fixture.buildProject()
    await hooked.hook({ issues_events: true, push_events: false })
    await call('POST', issuesOf(hooked), { title: 'Hush', confidential: true })
    expect(await received()).toEqual([])
    await hooked.hook({ confidential_issues_events: true, push_events: false })
    await call('POST', issuesOf(hooked), { title: 'Hush', confidential: true })
    const [{ header, body } = { header: '', body: {} }, ...more] = await received()
    expect(more).toEqual([])
    expect(header).toBe('Confidential Issue Hook')
    expect(body).toMatchObject({
      object_kind: 'issue',
      event_type: 'confidential_issue',
      object_attributes: { confidential: true },
    })
  })

  it('cost one query and enqueue no job when no hook subscribes', async () => {
    const hooked = await fixture.buildProject()
    await hooked.hook({ push_events: true })
    const cost = async () => {
      const before = fixture.server.app.db.stats.queries
      await call('POST', issuesOf(hooked), { title: 'One' })
      return fixture.server.app.db.stats.queries - before
    }
    await cost()
    const without = await cost()
    await hooked.hook({ issues_events: true, push_events: false })
    expect(await cost()).toBeGreaterThan(without)
    expect(await received()).toHaveLength(1)
  })
})

describe('comment hooks', () => {
  it('include the issue and its labels', async () => {
    const hooked = await fixture.buildProject()
    await hooked.hook({ note_events: true, push_events: false })
    const { id, iid } = await call('POST', issuesOf(hooked), { title: 'One', labels: 'bug' })
    const note = await call('POST', `${issuesOf(hooked)}/${iid}/notes`, { body: 'Hello' })
    const [{ header, body } = { header: '', body: {} }, ...more] = await received()
    expect(more).toEqual([])
    expect(header).toBe('Note Hook')
    expect(body).toMatchObject({
      object_kind: 'note',
      event_type: 'note',
      user: { username: 'root' },
      object_attributes: {
        id: note.id,
        note: 'Hello',
        noteable_type: 'Issue',
        noteable_id: id,
        commit_id: null,
        system: false,
        st_diff: null,
        url: `http://stithy.test/${hooked.project.path_with_namespace}/issues/${iid}#note_${note.id}`,
      },
      issue: { id, iid, title: 'One', labels: [{ title: 'bug' }] },
    })
  })

  it('are sent for a confidential issue only to hooks with confidential_note_events', async () => {
    const hooked = await fixture.buildProject()
    await hooked.hook({ note_events: true, push_events: false })
    const confidential = { title: 'Hush', confidential: true }
    const { iid } = await call('POST', issuesOf(hooked), confidential)
    const path = `${issuesOf(hooked)}/${iid}/notes`
    await call('POST', path, { body: 'Hush' })
    expect(await received()).toEqual([])
    await hooked.hook({ confidential_note_events: true, push_events: false })
    await call('POST', path, { body: 'Hush' })
    const [{ header, body } = { header: '', body: {} }] = await received()
    expect(header).toBe('Confidential Note Hook')
    expect(body).toMatchObject({ object_kind: 'note', event_type: 'confidential_note' })
  })

  it('include the merge request, its projects and its newest commit', async () => {
    const hooked = await fixture.buildProject()
    const { tree, project } = hooked
    await mustGit(tree, 'checkout', '--quiet', '-b', 'topic')
    await mustGit(tree, 'commit', '--quiet', '--allow-empty', '-m', 'More')
    await hooked.push('topic')
    const { id, iid } = await fixture.server.buildMergeRequest(project, 'topic', 'main')
    await fixture.flush()
    await hooked.hook({ note_events: true, push_events: false })
    const sha = await mustGit(tree, 'rev-parse', 'HEAD')
    await call('POST', `/projects/${project.id}/merge_requests/${iid}/notes`, { body: 'Hello' })
    const [{ body } = { body: {} }] = await received()
    expect(body).toMatchObject({
      object_attributes: { noteable_type: 'MergeRequest', noteable_id: id },
      merge_request: {
        id,
        iid,
        source_branch: 'topic',
        target_branch: 'main',
        source: { id: project.id },
        target: { id: project.id },
        last_commit: { id: sha, message: 'More\n' },
        work_in_progress: false,
        assignee: null,
      },
    })
  })

  it('include the snippet', async () => {
    const hooked = await fixture.buildProject()
    await hooked.hook({ note_events: true, push_events: false })
    const path = `/projects/${hooked.project.id}/snippets`
    const texts = { title: 'One', file_name: 'a.rb', code: 'puts 1', visibility: 'public' }
    const { id } = await call('POST', path, texts)
    await call('POST', `${path}/${id}/notes`, { body: 'Hello' })
    await call('DELETE', `${path}/${id}`)
    const [{ body } = { body: {} }] = await received()
    expect(body.object_attributes).toMatchObject({ noteable_type: 'Snippet', noteable_id: id })
    expect(body.snippet).toEqual({
      id,
      title: 'One',
      content: 'puts 1',
      author_id: 1,
      project_id: hooked.project.id,
      created_at: time,
      updated_at: time,
      file_name: 'a.rb',
      expires_at: null,
      type: 'ProjectSnippet',
      visibility_level: 20,
    })
  })

  it('are not triggered by system notes', async () => {
    const hooked = await fixture.buildProject()
    const { iid } = await call('POST', issuesOf(hooked), { title: 'One' })
    await hooked.hook({ note_events: true, push_events: false })
    await call('PUT', `${issuesOf(hooked)}/${iid}`, { title: 'Two' })
    expect(await received()).toEqual([])
  })
})
