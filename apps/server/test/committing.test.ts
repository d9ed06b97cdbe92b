import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../src/testing/test-server.ts'

describe('the unmodified @gitbeaker/rest', () => {
  let server: TestServer
  let api: InstanceType<typeof Gitlab>
  let id: number

  beforeAll(async () => {
    server = await buildTestServer()
    api = new Gitlab({ host: await server.url(), token: server.root.token })
    id = (await api.Projects.create({ name: 'written' })).id
  })
  afterAll(() => server.close())

  it('creates, cherry-picks and reverts commits', async () => {
    const first = await api.Commits.create(id, 'main', 'First', [
      { action: 'create', filePath: 'docs/a.md', content: '# A\n' },
      { action: 'create', filePath: 'run.sh', content: 'IyEvYmluL3NoCg==', encoding: 'base64' },
      { action: 'chmod', filePath: 'run.sh', execute_filemode: true },
    ])
    expect(first).toMatchObject({ title: 'First', parent_ids: [] })
    const options = { startBranch: 'main', authorName: 'Grace', authorEmail: 'g@example.org' }
    const actions = [
      { action: 'move' as const, filePath: 'docs/b.md', previousPath: 'docs/a.md' },
      {
        action: 'update' as const,
        filePath: 'run.sh',
        content: 'exit 0\n',
        lastCommitId: first.id,
      },
    ]
    const topic = await api.Commits.create(id, 'topic/x', 'Second', actions, options)
    expect(topic).toMatchObject({ author_name: 'Grace', parent_ids: [first.id] })
    const picked = await api.Commits.cherryPick(id, topic.id, 'main')
    expect(picked).toMatchObject({ title: 'Second', author_name: 'Grace' })
    const reverted = await api.Commits.revert(id, picked.id, 'main')
    expect(reverted.title).toBe('Revert "Second"')
    const tree = await api.Repositories.allRepositoryTrees(id, { recursive: true, ref: 'main' })
    expect(tree.map(({ path }) => path)).toEqual(['docs', 'docs/a.md', 'run.sh'])
    const shown = await api.Commits.show(id, reverted.id)
    expect(shown).toMatchObject({ id: reverted.id, parent_ids: [picked.id] })
  })

  it('shows why a commit is refused', async () => {
    const again = [{ action: 'create' as const, filePath: 'run.sh', content: '' }]
    const refused = await api.Commits.create(id, 'main', 'Again', again).catch((error) => error)
    expect(refused.cause.response.status).toBe(400)
    expect(refused.message + refused.cause.description).toContain("'run.sh' exists already")
  })

  it('creates, reads, updates and deletes files', async () => {
    const made = await api.RepositoryFiles.create(id, 'notes/ü.txt', 'main', 'one', 'Add notes')
    expect(made).toMatchObject({ file_path: 'notes/ü.txt', branch: 'main' })
    const encoded = Buffer.from('two').toString('base64')
    const edit = { encoding: 'base64' as const }
    await api.RepositoryFiles.edit(id, 'notes/ü.txt', 'main', encoded, 'Edit notes', edit)
    expect(await api.RepositoryFiles.showRaw(id, 'notes/ü.txt', 'main')).toBe('two')
    const file = await api.RepositoryFiles.show(id, 'notes/ü.txt', 'main')
    expect(Buffer.from(file.content, 'base64').toString()).toBe('two')
    await api.RepositoryFiles.remove(id, 'notes/ü.txt', 'main', 'Remove notes')
    const gone = await api.RepositoryFiles.show(id, 'notes/ü.txt', 'main').catch((error) => error)
    expect(gone.cause.response.status).toBe(404)
    const titles = (await api.Commits.all(id, { refName: 'main' })).map(({ title }) => title)
    expect(titles.slice(0, 3)).toEqual(['Remove notes', 'Edit notes', 'Add notes'])
  })
})
