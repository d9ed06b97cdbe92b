import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../src/testing/test-server.ts'

let server: TestServer
let api: InstanceType<typeof Gitlab>
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  project = await server.buildProject({ initialize_with_readme: true })
  api = new Gitlab({ host: await server.url(), token: server.root.token })
})
afterAll(() => server.close())

describe('environments with the unmodified @gitbeaker/rest', () => {
  it('are created, listed, read, edited, stopped and deleted', async () => {
    const { id } = project
    const made = await api.Environments.create(id, 'review/1', {
      externalUrl: 'https://one.example',
    })
    expect(made).toMatchObject({ name: 'review/1', external_url: 'https://one.example' })
    const listed = await api.Environments.all(id, { search: 'review', states: 'available' })
    expect(listed.map((environment) => environment.id)).toEqual([made.id])
    const edited = await api.Environments.edit(id, made.id, { externalUrl: 'https://two.example' })
    expect(edited).toEqual({ ...made, external_url: 'https://two.example' })
    expect((await api.Environments.show(id, made.id)).last_deployment).toBeNull()
    expect((await api.Environments.stop(id, made.id)).state).toBe('stopped')
    await api.Environments.remove(id, made.id)
    expect(await api.Environments.all(id)).toEqual([])
  })
})

describe('deployments with the unmodified @gitbeaker/rest', () => {
  it('are created, updated, listed and read', async () => {
    const { id } = project
    const [commit] = await api.Commits.all(id)
    const sha = commit?.id ?? ''
    const made = await api.Deployments.create(id, 'production', sha, 'master', false, {
      status: 'running',
    })
    expect(made).toMatchObject({ iid: 1, sha, status: 'running' })
    const ended = await api.Deployments.edit(id, made.id, 'success')
    expect(ended.status).toBe('success')
    const listed = await api.Deployments.all(id, { environment: 'production', status: 'success' })
    expect(listed).toEqual([await api.Deployments.show(id, made.id)])
    const { environment } = made
    const shown = await api.Environments.show(id, Number(environment.id))
    expect(shown.last_deployment).toMatchObject({ id: made.id })
  })
})

describe('templates with the unmodified @gitbeaker/rest', () => {
  // The client asks for licenses under `/templates/Licenses`, so they are read through a project.
  it('of every kind are listed and read', async () => {
    const kinds = [
      [api.GitignoreTemplates, 'C++'],
      [api.DockerfileTemplates, 'Golang'],
      [api.GitLabCIYMLTemplates, 'C++'],
    ] as const
    for (const [templates, key] of kinds) {
      const listed = await templates.all({ perPage: 100 })
      expect(listed.map(({ name }) => name)).toContain(key)
      expect((await templates.show(key)) as Json).toMatchObject({ content: expect.any(String) })
    }
    const licenses = await api.ProjectTemplates.all(project.id, 'licenses')
    expect(licenses.map(({ key }) => key)).toContain('agpl-3.0')
    const ofProject = await api.ProjectTemplates.show(project.id, 'licenses', 'mit')
    expect(ofProject).toMatchObject({ key: 'mit', name: 'MIT License' })
  })
})

describe('the check of configurations with the unmodified @gitbeaker/rest', () => {
  it('is reached through its requester, as it has no call for it without a project', async () => {
    const body = { content: 'test:\n  script: echo\n' }
    const answer = await api.Lint.requester.post('ci/lint', { body: body })
    expect(answer).toMatchObject({ status: 200, body: { status: 'valid', errors: [] } })
  })
})
