import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../src/testing/test-server.ts'

let server: TestServer
let api: InstanceType<typeof Gitlab>
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  project = await server.buildProject()
  api = new Gitlab({ host: await server.url(), token: server.root.token })
})
afterAll(() => server.close())

describe('wikis with the unmodified @gitbeaker/rest', () => {
  it('are created, listed, read, updated and deleted', async () => {
    const { id } = project
    const home = await api.ProjectWikis.create(id, '# Home', 'home')
    expect(home).toEqual({ content: '# Home', format: 'markdown', slug: 'home', title: 'home' })
    const options = { format: 'asciidoc' as const }
    const guide = await api.ProjectWikis.create(id, '= Set up', 'guides/Set up', options)
    expect(guide).toMatchObject({ slug: 'guides/Set-up', title: 'Set up', format: 'asciidoc' })
    const listed: Json[] = await api.ProjectWikis.all(id, { withContent: true })
    expect(listed.map(({ slug, content }) => [slug, content])).toEqual([
      ['guides/Set-up', '= Set up'],
      ['home', '# Home'],
    ])
    expect(await api.ProjectWikis.show(id, 'guides/Set-up')).toEqual(guide)
    expect(await api.ProjectWikis.edit(id, 'home', { content: 'x' })).toMatchObject({
      content: 'x',
    })
    const renamed = await api.ProjectWikis.edit(id, 'home', { title: 'start' })
    expect(renamed).toMatchObject({ slug: 'start', content: 'x' })
    await api.ProjectWikis.remove(id, 'start')
    expect((await api.ProjectWikis.all(id)).map(({ slug }) => slug)).toEqual(['guides/Set-up'])
  })

  it('take attachments', async () => {
    const file = { content: new Blob(['GIF89a']), filename: 'a.gif' }
    const made = (await api.ProjectWikis.uploadAttachment(project.id, file)) as Json
    expect(made).toMatchObject({
      file_name: 'a.gif',
      branch: 'master',
      link: { url: made.file_path, markdown: `![a](${made.file_path})` },
    })
    const path = `//${project.path_with_namespace}/wikis/${made.link.url}`
    const { status, text } = await server.inject('GET', path, { token: server.root.token })
    expect([status, text]).toEqual([200, 'GIF89a'])
  })
})
