import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commit, mustGit } from '../src/testing/git/git-client.ts'
import { buildPushedProject, type PushedProject } from '../src/testing/git/repository.ts'
import { buildTestServer, type TestServer } from '../src/testing/test-server.ts'

let server: TestServer
let pushed: PushedProject
let api: InstanceType<typeof Gitlab>
let first: string

beforeAll(async () => {
  server = await buildTestServer()
  pushed = await buildPushedProject(server)
  first = await mustGit(pushed.tree, 'rev-parse', 'HEAD')
  await mustGit(pushed.tree, 'checkout', '--quiet', '-b', 'topic')
  await commit(pushed.tree, { 'a.ts': 'one\n' }, 'Add a')
  await pushed.push('topic')
  api = new Gitlab({ host: await server.url(), token: server.root.token })
})
afterAll(() => server.close())

describe('repositories with the unmodified @gitbeaker/rest', () => {
  it('browses trees and blobs', async () => {
    const { id } = pushed.project
    const tree = await api.Repositories.allRepositoryTrees(id, { ref: 'topic' })
    expect(tree.map(({ path }) => path)).toEqual(['README.md', 'a.ts'])
    const blob = await api.Repositories.showBlob(id, tree[0]?.id ?? '')
    expect(blob).toMatchObject({ size: 8, encoding: 'base64' })
    const raw = await api.Repositories.showBlobRaw(id, tree[0]?.id ?? '')
    expect(await new Response(raw as unknown as string).text()).toBe('# Hello\n')
  })

  it('downloads archives', async () => {
    const archive = await api.Repositories.showArchive(pushed.project.id, {
      fileType: 'zip',
      sha: 'topic',
    })
    const bytes = Buffer.from(await (archive as unknown as Blob).arrayBuffer())
    expect(bytes.toString('latin1', 0, 2)).toBe('PK')
  })

  it('compares, and finds merge bases and contributors', async () => {
    const { id } = pushed.project
    const found = await api.Repositories.compare(id, 'main', 'topic', { straight: true })
    expect(found).toMatchObject({
      commits: [{ title: 'Add a' }],
      diffs: [{ new_path: 'a.ts', new_file: true }],
    })
    expect((await api.Repositories.mergeBase(id, ['main', 'topic'])).id).toBe(first)
    const people = await api.Repositories.allContributors(id, { orderBy: 'name' })
    expect(people).toMatchObject([{ name: 'Ada', commits: 1 }])
  })

  it('reads files and blame', async () => {
    const { id } = pushed.project
    const file = await api.RepositoryFiles.show(id, 'a.ts', 'topic')
    expect(Buffer.from(file.content, 'base64').toString()).toBe('one\n')
    const raw = await api.RepositoryFiles.showRaw(id, 'a.ts', 'topic')
    expect(await new Response(raw as unknown as string).text()).toBe('one\n')
    const blame = await api.RepositoryFiles.allFileBlames(id, 'a.ts', 'topic')
    expect(blame).toMatchObject([{ commit: { message: 'Add a\n' }, lines: ['one'] }])
  })

  it('reads commits', async () => {
    const { id } = pushed.project
    const diff = await api.Commits.showDiff(id, 'topic')
    expect(diff).toMatchObject([{ new_path: 'a.ts' }])
    await expect(api.Commits.showGPGSignature(id, 'topic')).rejects.toThrow(/Not Found/)
    expect(await api.Projects.showLanguages(id)).toEqual({})
  })
})
