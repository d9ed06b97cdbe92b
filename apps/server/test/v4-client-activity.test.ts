import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPushedProject } from '../src/testing/git/repository.ts'
import { buildTestServer, type Json, type TestServer } from '../src/testing/test-server.ts'

let server: TestServer
let project: Json
let api: InstanceType<typeof Gitlab>

beforeAll(async () => {
  server = await buildTestServer()
  const pushed = await buildPushedProject(server)
  project = pushed.project
  api = new Gitlab({ host: await server.url(), token: server.root.token })
})
afterAll(() => server.close())

/** The client's types know only parameters of later releases; it sends what it is given. */
const texts = { fileName: 'a.rb', content: 'puts 1', visibility: 'public' } as object

async function textOf(content: unknown): Promise<string> {
  return typeof content === 'string' ? content : new Response(content as BodyInit).text()
}

describe('the unmodified @gitbeaker/rest', () => {
  it('creates and reads personal snippets', async () => {
    const made = await api.Snippets.create('One', texts)
    expect(made).toMatchObject({ title: 'One', file_name: 'a.rb', visibility: 'public' })
    const id = Number(made.id)
    expect(await api.Snippets.show(id)).toMatchObject({ id, project_id: null })
    expect(await textOf(await api.Snippets.showContent(id))).toBe('puts 1')
    expect((await api.Snippets.all()).map((one) => one.id)).toEqual([id])
    expect((await api.Snippets.all({ public: true })).map((one) => one.id)).toEqual([id])
    const changed = { title: 'Two' } as object
    expect(await api.Snippets.edit(id, changed)).toMatchObject({ title: 'Two' })
    await api.Snippets.remove(id)
    await expect(api.Snippets.show(id)).rejects.toThrow(/Not Found/)
  })

  it('creates and reads project snippets', async () => {
    const made = await api.ProjectSnippets.create(project.id, 'One', texts)
    const id = Number(made.id)
    expect(await api.ProjectSnippets.show(project.id, id)).toMatchObject({ title: 'One' })
    expect(await textOf(await api.ProjectSnippets.showContent(project.id, id))).toBe('puts 1')
    const changed = { code: 'puts 2' } as object
    await api.ProjectSnippets.edit(project.id, id, changed)
    expect(await textOf(await api.ProjectSnippets.showContent(project.id, id))).toBe('puts 2')
    expect(await api.ProjectSnippets.all(project.id)).toHaveLength(1)
    await api.ProjectSnippets.remove(project.id, id)
    expect(await api.ProjectSnippets.all(project.id)).toEqual([])
  })

  it('changes notification settings', async () => {
    expect(await api.NotificationSettings.show()).toMatchObject({ level: 'participating' })
    const chosen = await api.NotificationSettings.edit({ level: 'custom', newIssue: true })
    expect(chosen).toMatchObject({ level: 'custom', events: { new_issue: true } })
    const { id: projectId } = project
    expect(await api.NotificationSettings.show({ projectId })).toEqual({ level: 'global' })
    const level = 'watch'
    expect(await api.NotificationSettings.edit({ projectId, level })).toEqual({ level })
  })

  it('tracks the time of issues and merge requests', async () => {
    const { iid } = await api.Issues.create(project.id, 'Broken')
    expect(await api.Issues.addTimeEstimate(project.id, iid, '1d')).toMatchObject({
      time_estimate: 28_800,
    })
    expect(await api.Issues.addSpentTime(project.id, iid, '2h')).toMatchObject({
      human_total_time_spent: '2h',
    })
    expect(await api.Issues.showTimeStats(project.id, iid)).toMatchObject({
      total_time_spent: 7200,
    })
    await api.Issues.resetTimeEstimate(project.id, iid)
    const reset = await api.Issues.resetSpentTime(project.id, iid)
    expect(reset).toMatchObject({ time_estimate: 0, total_time_spent: 0 })
    const actions = [{ action: 'create' as const, filePath: 'b.txt', content: 'b' }]
    const options = { startBranch: 'main' }
    await api.Commits.create(project.id, 'topic', 'Add b', actions, options)
    const request = await server.buildMergeRequest(project, 'topic', 'main')
    const estimated = await api.MergeRequests.setTimeEstimate(project.id, request.iid, '90m')
    expect(estimated).toMatchObject({ human_time_estimate: '1h 30m' })
    const spent = await api.MergeRequests.addSpentTime(project.id, request.iid, '1h')
    expect(spent).toMatchObject({ total_time_spent: 3600 })
  })

  it('links issues', async () => {
    const one = await api.Issues.create(project.id, 'One')
    const two = await api.Issues.create(project.id, 'Two')
    const link = await api.IssueLinks.create(project.id, one.iid, project.id, two.iid)
    expect(link).toMatchObject({ source_issue: { id: one.id }, target_issue: { id: two.id } })
    const [related] = await api.IssueLinks.all(project.id, two.iid)
    expect(related).toMatchObject({ id: one.id, title: 'One' })
    await api.IssueLinks.remove(project.id, two.iid, Number(related?.issue_link_id))
    expect(await api.IssueLinks.all(project.id, one.iid)).toEqual([])
  })

  it('reads events', async () => {
    const issue = await api.Issues.create(project.id, 'Seen')
    await api.IssueNotes.create(project.id, issue.iid, 'Hello')
    await api.Issues.edit(project.id, issue.iid, { stateEvent: 'close' })
    const [closed, said, opened] = await api.Events.all({ projectId: project.id })
    expect(closed).toMatchObject({ action_name: 'closed', target_id: issue.id })
    expect(said).toMatchObject({
      action_name: 'commented on',
      target_type: 'Note',
      note: { body: 'Hello', noteable_iid: issue.iid },
    })
    expect(opened).toMatchObject({ action_name: 'opened', target_title: 'Seen' })
    const notes = await api.Events.all({ action: 'commented', targetType: 'note' })
    expect(notes.map(({ id }) => id)).toEqual([said?.id])
    const ofUser = await api.Events.all({ userId: 'root', action: 'closed' })
    expect(ofUser.map(({ id }) => id)).toEqual([closed?.id])
  })
})
