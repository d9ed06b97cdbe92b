import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../src/testing/test-server.ts'

/** Branches, protected branches and protected tags through the unmodified `@gitbeaker/rest`. */
describe('@gitbeaker/rest', () => {
  let server: TestServer
  let api: InstanceType<typeof Gitlab>
  let id: number

  beforeAll(async () => {
    server = await buildTestServer()
    api = new Gitlab({ host: await server.url(), token: server.root.token })
    const project = await server.buildProject({ initialize_with_readme: true })
    id = project.id
  })
  afterAll(() => server.close())

  it('creates, lists, shows and deletes branches', async () => {
    const made = await api.Branches.create(id, 'topic/one', 'master')
    expect(made).toMatchObject({ name: 'topic/one', protected: false, can_push: true })
    await api.Branches.create(id, 'topic/two', 'master')
    const found = await api.Branches.all(id, { search: '^topic' })
    expect(found.map(({ name }) => name)).toEqual(['topic/one', 'topic/two'])
    expect((await api.Branches.show(id, 'topic/two')).commit.title).toBe('Initial commit')
    await api.Branches.remove(id, 'topic/one')
    await expect(api.Branches.show(id, 'topic/one')).rejects.toThrow('404 Branch Not Found')
    await expect(api.Branches.create(id, 'topic/two', 'master')).rejects.toThrow(
      'Branch already exists',
    )
    await expect(api.Branches.remove(id, 'master')).rejects.toThrow('default branch')
    await api.Branches.removeMerged(id)
  })

  it('protects, lists, shows and unprotects branches', async () => {
    const made = await api.ProtectedBranches.create(id, 'release/*', {
      pushAccessLevel: 0,
      mergeAccessLevel: 30,
      allowedToUnprotect: [{ userId: server.root.id }],
    })
    expect(made).toMatchObject({
      push_access_levels: [{ access_level_description: 'No one' }],
      unprotect_access_levels: [{ user_id: server.root.id }],
    })
    const found = await api.ProtectedBranches.all(id)
    expect(found.map(({ name }) => name)).toEqual(['master', 'release/*'])
    expect((await api.ProtectedBranches.show(id, 'release/*')).name).toBe('release/*')
    await expect(api.ProtectedBranches.protect(id, 'release/*')).rejects.toThrow('already exists')
    await api.ProtectedBranches.unprotect(id, 'release/*')
    await expect(api.ProtectedBranches.show(id, 'release/*')).rejects.toThrow('Not Found')
  })

  it('protects, lists, shows and unprotects tags', async () => {
    const made = await api.ProtectedTags.create(id, 'v*', { createAccessLevel: 30 })
    expect(made).toMatchObject({ create_access_levels: [{ access_level: 30 }] })
    expect((await api.ProtectedTags.all(id)).map(({ name }) => name)).toEqual(['v*'])
    expect((await api.ProtectedTags.show(id, 'v*')).name).toBe('v*')
    await api.ProtectedTags.unprotect(id, 'v*')
    expect(await api.ProtectedTags.all(id)).toEqual([])
  })
})
