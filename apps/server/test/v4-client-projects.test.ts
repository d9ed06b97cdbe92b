import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../src/testing/test-server.ts'

let server: TestServer
let api: InstanceType<typeof Gitlab>
let group: Json
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  group = await server.buildGroup()
  project = await server.buildProject({ namespace_id: group.id })
  api = new Gitlab({ host: await server.url(), token: server.root.token })
})
afterAll(() => server.close())

describe('badges with the unmodified @gitbeaker/rest', () => {
  const link = 'https://ci.example/%{project_path}'
  const image = 'https://ci.example/%{project_id}.svg'

  it('are created, previewed, read, updated and deleted', async () => {
    const { id, path_with_namespace: path } = project
    const made = await api.ProjectBadges.add(id, link, image)
    expect(made).toMatchObject({ kind: 'project', rendered_link_url: `https://ci.example/${path}` })
    const above = await api.GroupBadges.add(group.id, link, image)
    expect(above).toMatchObject({ kind: 'group', rendered_link_url: link })
    const listed = await api.ProjectBadges.all(id)
    expect(listed.map((badge) => [badge.id, badge.kind])).toEqual([
      [made.id, 'project'],
      [above.id, 'group'],
    ])
    const preview = await api.ProjectBadges.preview(id, link, image)
    expect(preview.rendered_image_url).toBe(`https://ci.example/${id}.svg`)
    const edited = await api.ProjectBadges.edit(id, made.id, { linkUrl: image })
    expect(await api.ProjectBadges.show(id, made.id)).toEqual(edited)
    await api.GroupBadges.remove(group.id, above.id)
    await api.ProjectBadges.remove(id, made.id)
    expect(await api.ProjectBadges.all(id)).toEqual([])
  })
})

describe('uploads with the unmodified @gitbeaker/rest', () => {
  it('are stored, and served to those who may read the project', async () => {
    const content = new Blob(['GIF89a'])
    const made = await api.Projects.uploadForReference(project.id, { content, filename: 'a.gif' })
    expect(made).toEqual({ alt: 'a', url: made.url, markdown: `![a](${made.url})` })
    const path = `//${project.path_with_namespace}${made.url}`
    const { status, text } = await server.inject('GET', path, { token: server.root.token })
    expect([status, text]).toEqual([200, 'GIF89a'])
  })
})

describe('templates with the unmodified @gitbeaker/rest', () => {
  // The client looks for licenses at `/templates/Licenses`, so that is left out.
  it('are listed and shown, of the instance and for a project', async () => {
    const dockerfiles = await api.DockerfileTemplates.all()
    expect(dockerfiles).toContainEqual({ key: 'Node', name: 'Node' })
    expect(await api.GitignoreTemplates.show('Node')).toMatchObject({ name: 'Node' })
    expect(await api.GitLabCIYMLTemplates.show('Go')).toMatchObject({ name: 'Go' })
    const names = await api.ProjectTemplates.all(project.id, 'licenses')
    expect(names).toContainEqual({ key: 'mit', name: 'MIT License' })
    const license = await api.ProjectTemplates.show(project.id, 'licenses', 'mit', {
      fullname: 'A B',
    })
    expect(license.content).toContain('A B')
  })
})

describe('starrers with the unmodified @gitbeaker/rest', () => {
  it('are listed', async () => {
    await api.Projects.star(project.id)
    const [starrer] = await api.Projects.allStarrers(project.id)
    expect(starrer).toMatchObject({ user: { id: server.root.id } })
  })
})

describe('groups, shares, members and forks with the unmodified @gitbeaker/rest', () => {
  it('are created, changed, listed and removed', async () => {
    const [first, second] = [await api.Groups.create('First', 'first'), await server.buildGroup()]
    expect(await api.Groups.edit(first.id, { description: 'About' })).toMatchObject({
      description: 'About',
    })
    const member = await server.buildUser()
    await api.GroupMembers.add(second.id, 40, { userId: member.id })
    const { id } = await api.Projects.create({ namespaceId: first.id, path: 'shared' })
    await api.Groups.share(first.id, second.id, 30, { expiresAt: '2999-01-01' })
    expect((await api.Groups.show(first.id)).shared_with_groups).toMatchObject([
      { group_id: second.id, group_access_level: 30, expires_at: '2999-01-01' },
    ])
    const all = { includeInherited: true }
    const level = async () =>
      (await api.ProjectMembers.all(id, all)).find((each) => each.id === member.id)?.access_level
    expect(await level()).toBe(30)
    await api.Groups.unshare(first.id, second.id, {})
    expect(await level()).toBeUndefined()
    await api.Projects.share(id, second.id, 20)
    expect(await level()).toBe(20)
    await api.Projects.unshare(id, second.id)
    expect(await level()).toBeUndefined()
  })

  it('forks are made, listed, unlinked and linked', async () => {
    const source = await server.buildProject({ initialize_with_readme: true })
    const fork = await api.Projects.fork(source.id, { namespaceId: group.id, path: 'forked' })
    expect(fork).toMatchObject({ forked_from_project: { id: source.id } })
    const forks = async () => (await api.Projects.allForks(source.id)).map(({ id }) => id)
    expect(await forks()).toEqual([fork.id])
    await api.Projects.removeForkRelationship(fork.id)
    expect(await forks()).toEqual([])
    await api.Projects.createForkRelationship(fork.id, source.id)
    expect(await forks()).toEqual([fork.id])
  })
})
