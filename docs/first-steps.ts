/**
 * First steps with a running server, through the unmodified v4 client `@gitbeaker/rest`: pushes a repository
 * with git, browses it, and creates a group, a user and a member.
 *
 *     STITHY_TOKEN=… node docs/first-steps.ts [http://127.0.0.1:8080] [folder of a git repository]
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Gitlab } from '@gitbeaker/rest'

const run = promisify(execFile)

export interface FirstSteps {
  /** Base address of the server. */
  host: string
  /** A token of an administrator, with scopes `api` and `write_repository`. */
  token: string
  /** The repository to push; its current branch goes to `main`. */
  folder: string
  /** Called with the name of each step. */
  say?: (line: string) => void
}

/** Runs all steps; returns what they read. */
export async function firstSteps({ host, token, folder, say = () => {} }: FirstSteps) {
  const api = new Gitlab({ host, token })

  const suffix = Date.now().toString(36)
  const project = await api.Projects.create({ name: `first-steps-${suffix}` })
  say(`made project ${project.path_with_namespace}`)

  const remote = new URL(`${host}/${project.path_with_namespace}.git`)
  remote.username = 'token'
  remote.password = token
  await run('git', ['push', '--quiet', remote.href, 'HEAD:refs/heads/main'], { cwd: folder })
  say(`pushed ${folder}`)

  const commits = await api.Commits.all(project.id, { perPage: 5, maxPages: 1 })
  for (const commit of commits) say(`  ${commit.short_id} ${commit.title}`)
  const branches = await api.Branches.all(project.id)
  say(`branches: ${branches.map(({ name }) => name).join(', ')}`)
  const tree = await api.Repositories.allRepositoryTrees(project.id)
  say(`tree: ${tree.map(({ path }) => path).join(', ')}`)
  const first = tree.find(({ path }) => path === 'README.md') ?? tree.find(isFile)
  if (first === undefined) throw new Error('The repository has no file at its top')
  const file = await api.RepositoryFiles.show(project.id, first.path, 'main')
  const text = Buffer.from(file.content, 'base64').toString()
  say(`${first.path} begins: ${text.split('\n', 1)[0]}`)

  const group = await api.Groups.create(`Crew ${suffix}`, `crew-${suffix}`)
  const user = await api.Users.create({
    name: 'Ada',
    username: `ada-${suffix}`,
    email: `ada-${suffix}@example.com`,
    forceRandomPassword: true,
    skipConfirmation: true,
  })
  const member = await api.GroupMembers.add(group.id, 30, { userId: user.id })
  say(`${member.username} is a developer of ${group.full_path}`)

  return { project, commits, branches, tree, text, group, user, member }
}

function isFile({ type }: { type: string }): boolean {
  return type === 'blob'
}

if (import.meta.main) {
  const [host = 'http://127.0.0.1:8080', folder = process.cwd()] = process.argv.slice(2)
  const token = process.env.STITHY_TOKEN
  if (token === undefined) throw new Error('STITHY_TOKEN must hold a token of an administrator')
  await firstSteps({ host, token, folder, say: (line) => process.stdout.write(`${line}\n`) })
}
