import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorkTree, mustGit, remoteUrl } from '../src/testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../src/testing/test-server.ts'

describe('tags and releases with the unmodified @gitbeaker/rest', () => {
  let server: TestServer
  let project: Json
  let api: InstanceType<typeof Gitlab>
  beforeAll(async () => {
    server = await buildTestServer()
    project = await server.buildProject()
    const host = await server.url()
    const { username, token } = server.root
    const tree = await buildWorkTree()
    const remote = remoteUrl(host, project.path_with_namespace, username, token)
    await mustGit(tree, 'push', '--quiet', remote, 'main')
    api = new Gitlab({ host, token })
  })
  afterAll(() => server.close())

  it('creates, lists, shows and deletes tags', async () => {
    const made = await api.Tags.create(project.id, 'v1/a.b', 'main', { message: 'Notes' })
    expect(made).toMatchObject({ name: 'v1/a.b', message: 'Notes', release: null })
    await api.Tags.create(project.path_with_namespace, 'v2', 'main')
    const all = await api.Tags.all(project.id, { orderBy: 'name', sort: 'asc' })
    expect(all.map(({ name }) => name)).toEqual(['v1/a.b', 'v2'])
    expect(await api.Tags.all(project.id, { search: '^v2' })).toHaveLength(1)
    expect((await api.Tags.show(project.id, 'v1/a.b')).target).toBe(made.target)
    await api.Tags.remove(project.id, 'v1/a.b')
    await expect(api.Tags.show(project.id, 'v1/a.b')).rejects.toThrow('Tag Not Found')
  })

  it('creates, lists, updates, shows and deletes releases and their links', async () => {
    const { id } = project
    const release = await api.ProjectReleases.create(id, {
      tagName: 'v3',
      ref: 'main',
      name: 'Three',
      description: '*three*',
      assets: { links: [{ name: 'site', url: 'https://example.com' }] },
    })
    expect(release).toMatchObject({ tag_name: 'v3', name: 'Three', assets: { count: 5 } })
    expect(await api.ProjectReleases.all(id)).toHaveLength(1)
    expect(await api.ProjectReleases.edit(id, 'v3', { name: 'III' })).toMatchObject({ name: 'III' })
    expect(await api.ProjectReleases.show(id, 'v3')).toMatchObject({ description: '*three*' })
    const link = await api.ReleaseLinks.create(id, 'v3', 'file', 'https://example.com/file')
    expect(link).toMatchObject({ name: 'file', external: true })
    expect(await api.ReleaseLinks.all(id, 'v3')).toHaveLength(2)
    const edited = await api.ReleaseLinks.edit(id, 'v3', link.id, { name: 'data' })
    expect(edited.name).toBe('data')
    expect(await api.ReleaseLinks.show(id, 'v3', link.id)).toEqual(edited)
    await api.ReleaseLinks.remove(id, 'v3', link.id)
    expect(await api.ReleaseLinks.all(id, 'v3')).toHaveLength(1)
    await api.ProjectReleases.remove(id, 'v3')
    expect(await api.ProjectReleases.all(id)).toEqual([])
  })
})
