import { join } from 'node:path'
import type { Repository } from '@stithy/git'
import type { App } from '../app.ts'

/** Where the repository of a project is stored. */
export interface RepositoryLocation {
  repositoryStorage: string
  /** Relative to the storage. */
  repositoryPath: string
}

/** Where the repository of a project's wiki is stored, once there is one: beside the project's. */
export function wikiLocationOf(project: RepositoryLocation): RepositoryLocation {
  const { repositoryStorage, repositoryPath } = project
  return { repositoryStorage, repositoryPath: repositoryPath.replace(/(?:\.git)?$/, '.wiki.git') }
}

/** Opens the repository of a project on its storage. */
export function repositoryOf(app: App, location: RepositoryLocation): Repository {
  const storage = app.config.repositoryStorages[location.repositoryStorage]
  if (storage === undefined) throw new Error(`unknown storage ${location.repositoryStorage}`)
  return { path: join(storage, location.repositoryPath) }
}
