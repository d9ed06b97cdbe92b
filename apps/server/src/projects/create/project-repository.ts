import { createHash } from 'node:crypto'
import { commitFiles, createRepository, type Repository } from '@stithy/git'
import type { App } from '../../app.ts'
import { repositoryOf } from '../../repositories/repository.service.ts'

/** The storage of new repositories. */
export const defaultStorage = 'default'

/** Where a project's repository lies inside its storage; a new name or path moves nothing. */
export function repositoryPathOf(projectId: number): string {
  const name = createHash('sha256').update(String(projectId)).digest('hex')
  return `@hashed/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}.git`
}

/** The repository of a project, also before its row names it. */
export function repositoryOfId(app: App, projectId: number, storage: string): Repository {
  return repositoryOf(app, {
    repositoryStorage: storage,
    repositoryPath: repositoryPathOf(projectId),
  })
}

/** What a new repository begins with. */
export interface Beginning {
  branch: string
  readme?: { name: string; description: string; author: { name: string; email: string } }
}

/** The file that a first commit writes. */
export const readmeName = 'README.md'

/** Creates the repository of a new project and, where asked for, its first commit. */
export async function beginRepository(
  app: App,
  projectId: number,
  storage: string,
  { branch, readme }: Beginning,
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
