import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildSearchedInstance,
  needle,
  type SearchedInstance,
} from '../src/testing/fixtures/searched.ts'

let fixture: SearchedInstance
let api: InstanceType<typeof Gitlab>

beforeAll(async () => {
  fixture = await buildSearchedInstance()
  const host = await fixture.server.url()
  api = new Gitlab({ host, token: fixture.server.root.token })
}, 120_000)
afterAll(() => fixture.server.close())

describe('searches with the unmodified @gitbeaker/rest', () => {
  it('find every scope on the instance', async () => {
    const [project] = await api.Search.all('projects', needle)
    expect(project).toMatchObject({ description: 'A needle', star_count: 0 })
    const [issue] = await api.Search.all('issues', needle)
    expect(issue).toMatchObject({ title: 'A needle', state: 'opened' })
    const [request] = await api.Search.all('merge_requests', needle)
    expect(request).toMatchObject({ title: 'A needle', source_branch: 'topic' })
    const [milestone] = await api.Search.all('milestones', needle)
    expect(milestone).toMatchObject({ title: 'Group needle' })
    const [snippet] = await api.Search.all('snippet_titles', needle)
    expect(snippet).toMatchObject({ title: 'A needle', file_name: 'a.txt' })
    const users = await api.Search.all('users', needle)
    expect(users).toHaveLength(6)
  })

  it('find code, wikis and commits everywhere, in a group and in a project', async () => {
    const project = fixture.projects.private
    const contexts = [{}, { groupId: fixture.groups.inner.id }, { projectId: project.id }]
    for (const context of contexts) {
      const own = <T extends object>(found: T[]) =>
        found.filter((item) => 'project_id' in item && item.project_id === project.id)
      const blobs = own(await api.Search.all('blobs', `${needle} extension:txt`, context))
      expect(blobs).toMatchObject([{ path: 'a.txt', data: 'A needle in a file', startline: 1 }])
      const pages = own(await api.Search.all('wiki_blobs', needle, context))
      expect(pages).toMatchObject([{ filename: 'Page.md', data: 'A needle in a page' }])
      const commits = own(await api.Search.all('commits', needle, context))
      expect(commits).toMatchObject([{ title: 'A needle' }])
    }
    const paged = await api.Search.all('blobs', needle, { perPage: 2, maxPages: 2 })
    expect(paged).toHaveLength(4)
    const ref = { projectId: project.id, ref: 'topic' }
    expect(await api.Search.all('blobs', 'b.txt', ref)).toMatchObject([{ path: 'b.txt' }])
  })

  it('find issues, milestones and members of a group', async () => {
    const groupId = fixture.groups.inner.id
    const issues = await api.Search.all('issues', needle, { groupId })
    expect(issues.map(({ project_id }) => project_id)).toEqual(
      Array(2).fill(fixture.projects.private.id),
    )
    expect(await api.Search.all('milestones', needle, { groupId })).toHaveLength(2)
    expect(await api.Search.all('users', needle, { groupId })).toHaveLength(3)
  })

  it('find issues, comments and members of a project', async () => {
    const projectId = fixture.projects.private.id
    expect(await api.Search.all('issues', needle, { projectId })).toHaveLength(2)
    const notes = await api.Search.all('notes', needle, { projectId })
    expect(notes).toHaveLength(7)
    expect(notes[0]).toMatchObject({ body: 'A needle in a comment', noteable_type: 'Snippet' })
    expect(await api.Search.all('users', needle, { projectId })).toHaveLength(4)
    const pages = await api.Search.all('notes', needle, { projectId, perPage: 2, maxPages: 2 })
    expect(pages).toHaveLength(4)
  })
})
