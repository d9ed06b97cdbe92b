import { createHash } from 'node:crypto'
import { commitFiles, createRepository, type Repository } from '@stithy/git'
import type { App } from '../../../platform/app.ts'
import { repositoryOf, wikiLocationOf } from '../../../platform/repositories/repository-location.ts'

/** Storage of new repositories. */
export const defaultStorage = 'default'

/**
 * Path of a project's repository within its storage; independent of the project's name and path.
 */
export function repositoryPathOf(projectId: number): string {
  const name = createHash('sha256').update(String(projectId)).digest('hex')
  return `@hashed/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}.git`
}

/** Opens the repository of a project by id, also before its row names the repository. */
export function repositoryOfId(app: App, projectId: number, storage: string): Repository {
  return repositoryOf(app, {
    repositoryStorage: storage,
    repositoryPath: repositoryPathOf(projectId),
  })
}

/** Opens the repository of a project's wiki by the id of the project. */
export function wikiOfId(app: App, projectId: number, storage: string): Repository {
  const project = { repositoryStorage: storage, repositoryPath: repositoryPathOf(projectId) }
  return repositoryOf(app, wikiLocationOf(project))
}

/** Initial branch and files of a new repository. */
export interface InitialCommit {
  branch: string
  readme?: { name: string; description: string; author: { name: string; email: string } }
}

/** Name of the file in the initial commit. */
export const readmeName = 'README.md'

/** Creates the repository of a new project and, if requested, its initial commit. */
export async function initializeRepository(
  app: App,
  projectId: number,
  storage: string,
  { branch, readme }: InitialCommit,
): Promise<void> {
  const { path } = repositoryOfId(app, projectId, storage)
  const repository = await createRepository(app.git, path, { defaultBranch: branch })
  if (readme === undefined) return
  const { name, description, author } = readme
  const text = description === '' ? `# ${name}\n` : `# ${name}\n\n${description}\n`
  await commitFiles(app.git, repository, {
    branch,
    parent: undefined,
    files: [{ path: readmeName, content: Buffer.from(text) }],
    message: 'Initial commit\n',
    author: { ...author, date: new Date(app.now()) },
  })
}
