import { type CallerFacts, validationFailed } from '@stithy/core'
import type { App } from '../../../platform/app.ts'
import { defaultStorage } from './project-repository.ts'

/**
 * Returns the storage of a new repository. Only administrators choose it; the parameter of other
 * callers is ignored.
 * @throws DomainError `validation_failed`
 */
export function chooseStorage(
  app: App,
  caller: CallerFacts,
  requested: string | undefined,
): string {
  if (!caller.admin || requested === undefined || requested === '') return defaultStorage
  if (Object.hasOwn(app.config.repositoryStorages, requested)) return requested
  throw validationFailed({ repository_storage: ['is not included in the list'] })
}

/**
 * Rejects an edit that names another storage: repositories don't move. Throws as `chooseStorage`.
 */
export function requireSameStorage(
  app: App,
  caller: CallerFacts,
  requested: string | undefined,
  current: string,
): void {
  if (!caller.admin || requested === undefined || requested === '') return
  if (chooseStorage(app, caller, requested) === current) return
  throw validationFailed({ repository_storage: ['cannot be changed'] })
}
